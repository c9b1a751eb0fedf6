export type { Dag, DagType, EnvEntry, ParamDef, ParamScalar, ResolvedParam, Schedule, Step, StepRun } from './dag';
export {
  editorHints,
  supportedKeys,
  type CustomStepTypeHint,
  type EditorHints,
  type KeyDescription,
  type SupportedKeys,
} from './editor-hints';
export type { Finding, FindingSeverity, TextRange } from './finding';
export { findingCatalogue, type FindingCode } from './finding-catalogue';
export { formatFinding, hasErrors } from './finding-text';
export { resolveParams, type ResolvedParams } from './params/resolve-params';
export { parseDag, type ParseOptions, type ParseResult } from './parse-dag';
export { nextRunAt } from './schedule/next-run-at';
export { stepIdPattern } from './steps/step-kind';
export { dagNamePattern, isDagName } from './values/dag-name';
export { type Scope } from './values/references';
export { resolveEnv, resolveText } from './values/resolve-text';
