/** What the values of a DAG become in a run: references, parameters, environment, items. */

export { readItems, type ItemsProblem } from '../keys/loops/items';
export { isHostVariable } from '../values/environment/host-variables';
export { reservedEnvNames, type ReservedEnvName } from '../values/environment/reserved-names';
export { splitShell } from '../values/execution/shell';
export { applyParamSchema } from '../values/params/apply-param-schema';
export { paramsJsonSchema } from '../values/params/params-json-schema';
export { resolveGivenParams } from '../values/params/resolve-given-params';
export {
  completeParams,
  declaredParams,
  positionalParams,
  resolveParams,
  type EvaluatedParam,
  type PendingParam,
} from '../values/params/resolve-params';
export { findExecutedCode } from '../values/references/executed-code';
export { mapTexts } from '../values/references/map-texts';
export { findReferenceEscapes } from '../values/references/reference';
export type { ResolvedPart } from '../values/references/replace-references';
export { resolveConsts, resolveEnv, resolveField, resolveText, splitResolved } from '../values/references/resolve-text';
export { findStoreSecrets, triggerStoreOf } from '../values/triggers/trigger-store';
export type { Scope, StepValues } from '../values/references/scope';
export { splitSubstitutions } from '../values/references/substitutions';
