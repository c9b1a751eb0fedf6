export {
  actionNames,
  findAction,
  isExecutable,
  type CompositeActionName,
  type ExecutableAction,
  type ExecutableActionName,
  type SettingsFor,
} from './keys/actions/action-catalogue';
export { findHarness } from './keys/actions/settings/harness-settings';
export { checkSettings } from './keys/actions/check-settings';
export type { BaseConfig } from './dag/document/base-config';
export { parseBaseConfig } from './dag/document/parse-base-config';
export { knownHarnesses, type Harness, type Harnesses } from './model/harness';
export type { JsonObject, JsonValue } from './model/json';
export type { DeclaredOutput, OutputSource } from './model/outputs';
export type { MailServer } from './model/mail';
export type { ParamDef, ResolvedParam } from './model/param';
export type { Condition, RepeatPolicy } from './model/policies';
export type { OverlapPolicy, Schedule } from './model/schedule';
export type { Secret } from './model/secret';
export type { ActionLock, PackagedAction } from './model/packaged-action';
export { compileInputSchema } from './steps/custom-actions/input-schema';
export { lockActions } from './dag/convert/lock-actions';
export { toolProviders, type Tool, type ToolProvider } from './model/tool';
export type { BuildFile } from './model/build-file';
export type { Items, LocalRun, Step, StepRun } from './model/step';
export type { Dag, HandlerKind } from './model/dag';
export { editorHints, supportedKeys, type CustomStepTypeHint, type KeyDescription } from './dag/editor-hints';
export type { Finding } from './source/findings/finding';
export { applyParamSchema } from './values/params/apply-param-schema';
export {
  completeParams,
  declaredParams,
  positionalParams,
  resolveParams,
  type EvaluatedParam,
  type PendingParam,
} from './values/params/resolve-params';
export { resolveGivenParams } from './values/params/resolve-given-params';
export { listSteps } from './dag/document/list-steps';
export { parseDag, type ParseOptions, type ParseResult } from './dag/document/parse-dag';
export { matchesExpected, matchesLine, matchesOutput } from './source/text/match-text';
export { readItems, type ItemsProblem } from './keys/loops/items';
export { formatFinding, hasErrors } from './source/findings/format-finding';
export { toSarif } from './source/findings/sarif/to-sarif';
export { nextRunAt } from './values/schedule/next-run-at';
export { calledDags, type DagCall } from './dag/document/called-dags';
export { paramsJsonSchema } from './values/params/params-json-schema';
export type { Occurrence } from './values/schedule/occurrences';
export { createScheduleTimes, type ScheduleTimes } from './values/schedule/schedule-times';
export type { JsonSchema } from './shapes/json-schema/json-schema';
export { boundedDagSchema } from './dag/json-schema/bounded-dag-schema';
export { dagSchema } from './dag/json-schema/dag-schema';
export { jsonSchemaProblem } from './shapes/json-schema/json-schema-problem';
export { schemaAt } from './dag/json-schema/schema-at';
export { compilePattern, literalPattern } from './source/text/compile-pattern';
export { createSuggest, didYouMean } from './source/text/suggest';
export { isDagName } from './keys/dag-keys/dag-name';
export { decodeYaml } from './shapes/decode-yaml';
export type { Scope, StepValues } from './values/references/scope';
export { mapTexts } from './values/references/map-texts';
export type { ResolvedPart } from './values/references/replace-references';
export { hasArtifacts } from './dag/document/uses-artifacts';
export { isHostVariable } from './values/environment/host-variables';
export { reservedEnvNames, type ReservedEnvName } from './values/environment/reserved-names';
export { findExecutedCode } from './values/references/executed-code';
export { resolveConsts, resolveEnv, resolveField, resolveText, splitResolved } from './values/references/resolve-text';
export { splitShell } from './values/execution/shell';
export { splitSubstitutions } from './values/references/substitutions';
export { convertCrontab, type ConvertedCrontab } from './dag/convert/convert-crontab';
export { convertSpec, type ConvertedSpec } from './dag/convert/convert-spec';
