export { checkActionInput, type ActionInput } from './actions/check-action-input';
export type { BaseConfig } from './base-config/base-config';
export { parseBaseConfig, type ParseBaseResult } from './base-config/parse-base-config';
export type { JsonObject, JsonValue } from './canonical/json';
export type { DeclaredOutput, OutputSource, StepOutput, StreamCopy } from './canonical/outputs';
export type { MailMessage, MailServer } from './canonical/mail';
export type { ParamDef, ParamScalar, ResolvedParam } from './canonical/param';
export type { Condition, RepeatPolicy } from './canonical/policies';
export type { OverlapPolicy, Schedule } from './canonical/schedule';
export type { Secret } from './canonical/secret';
export type { EnvEntry, Step } from './canonical/step';
export type { Items, LocalRun, StepRun } from './canonical/work';
export type { Dag, DagType, HandlerKind } from './dag';
export {
  editorHints,
  supportedKeys,
  type CustomStepTypeHint,
  type EditorHints,
  type KeyDescription,
  type SupportedKeys,
} from './editor-hints';
export type { Finding, FindingSeverity, Fix, TextRange } from './finding';
export { findingCatalogue, type FindingCode } from './finding-catalogue';
export { applyParamSchema, type AppliedParamSchema } from './params/apply-param-schema';
export {
  completeParams,
  declaredParams,
  positionalParams,
  resolveParams,
  type EvaluatedParam,
  type PendingParam,
  type ResolvedParams,
} from './params/resolve-params';
export { parseDag, type ParseOptions, type ParseResult } from './parse-dag';
export { holdsPattern, isAsExpected } from './patterns/match-text';
export { readItems, type ItemsProblem } from './work/items';
export { formatFinding, hasErrors } from './report/finding-text';
export type { SarifLog } from './report/sarif-log';
export { toSarif, type FileFindings } from './report/to-sarif';
export { printDag } from './print/print-dag';
export { nextRunAt } from './schedule/next-run-at';
export { createScheduleTimes, type ScheduleTimes, type ScheduleTimesOptions } from './schedule/schedule-times';
export type { JsonSchema } from './read/json-schema';
export { dagSchema } from './schema/dag-schema';
export { jsonSchemaProblem } from './json-schema/check-value';
export { schemaAt } from './schema/schema-at';
export { stepIdPattern } from './step-keys/identity-keys';
export { createSuggest, didYouMean } from './suggest';
export { dagNamePattern, isDagName } from './values/dag-name';
export { decodeYaml, type DecodedYaml } from './values/decode-yaml';
export { contextFields, type ContextField, type Scope, type StepValues } from './values/scope';
export { resolveEnv, resolveField, resolveText } from './values/resolve-text';
export { splitShell } from './values/shell';
export { splitSubstitutions, type TextPart } from './values/substitutions';
