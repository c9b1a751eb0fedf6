export {
  actionNames,
  findAction,
  isExecutable,
  type CompositeActionName,
  type ExecutableAction,
  type ExecutableActionName,
  type SettingsFor,
} from './actions/action-catalogue';
export { findHarness } from './actions/settings/harness-settings';
export { checkSettings } from './actions/check-settings';
export type { BaseConfig } from './dag/base-config';
export { parseBaseConfig } from './dag/parse-base-config';
export { knownHarnesses, type Harness, type Harnesses } from './model/harness';
export type { JsonObject, JsonValue } from './model/json';
export type { DeclaredOutput, OutputSource } from './model/outputs';
export type { MailServer } from './model/mail';
export type { ParamDef, ResolvedParam } from './model/param';
export type { Condition, RepeatPolicy } from './model/policies';
export type { OverlapPolicy, Schedule } from './model/schedule';
export type { Secret } from './model/secret';
export type { ActionLock, PackagedAction } from './model/packaged-action';
export { compileInputSchema } from './custom-actions/input-schema';
export { lockActions } from './convert/lock-actions';
export { toolProviders, type Tool, type ToolProvider } from './model/tool';
export type { BuildFile } from './model/build-file';
export type { Items, LocalRun, Step, StepRun } from './model/step';
export type { Dag, HandlerKind } from './model/dag';
export { editorHints, supportedKeys, type CustomStepTypeHint, type KeyDescription } from './editor-hints';
export type { Finding } from './findings/finding';
export { applyParamSchema } from './params/apply-param-schema';
export {
  completeParams,
  declaredParams,
  positionalParams,
  resolveParams,
  type EvaluatedParam,
  type PendingParam,
} from './params/resolve-params';
export { resolveGivenParams } from './params/resolve-given-params';
export { listSteps } from './dag/list-steps';
export { parseDag, type ParseOptions, type ParseResult } from './dag/parse-dag';
export { matchesExpected, matchesLine, matchesOutput } from './text/match-text';
export { readItems, type ItemsProblem } from './work/items';
export { formatFinding, hasErrors } from './findings/format-finding';
export { toSarif } from './findings/sarif/to-sarif';
export { nextRunAt } from './schedule/next-run-at';
export { calledDags, type DagCall } from './dag/called-dags';
export { paramsJsonSchema } from './params/params-json-schema';
export type { Occurrence } from './schedule/occurrences';
export { createScheduleTimes, type ScheduleTimes } from './schedule/schedule-times';
export type { JsonSchema } from './json-schema/json-schema';
export { boundedDagSchema } from './json-schema/bounded-dag-schema';
export { dagSchema } from './json-schema/dag-schema';
export { jsonSchemaProblem } from './json-schema/json-schema-problem';
export { schemaAt } from './json-schema/schema-at';
export { compilePattern, literalPattern } from './text/compile-pattern';
export { createSuggest, didYouMean } from './text/suggest';
export { isDagName } from './dag-keys/dag-name';
export { decodeYaml } from './yaml/decode-yaml';
export type { Scope, StepValues } from './references/scope';
export { mapTexts } from './references/map-texts';
export type { ResolvedPart } from './references/replace-references';
export { hasArtifacts } from './dag/uses-artifacts';
export { isHostVariable } from './environment/host-variables';
export { reservedEnvNames, type ReservedEnvName } from './environment/reserved-names';
export { findExecutedCode } from './references/executed-code';
export { resolveConsts, resolveEnv, resolveField, resolveText, splitResolved } from './references/resolve-text';
export { splitShell } from './execution/shell';
export { splitSubstitutions } from './references/substitutions';
export { convertCrontab, type ConvertedCrontab } from './convert/convert-crontab';
export { convertSpec, type ConvertedSpec } from './convert/convert-spec';
