export type { Dag, DagType, EnvEntry, ParamDef, ParamScalar, ResolvedParam, Schedule, Step, StepRun } from './dag';
export type { Finding, FindingSeverity, TextRange } from './finding';
