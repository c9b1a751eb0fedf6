/** The DAG language: reads YAML into a canonical DAG with located findings, and names what a DAG is. */

export type { BaseConfig } from './dag/document/base-config';
export { calledDags, type DagCall } from './dag/document/called-dags';
export { listSteps } from './dag/document/list-steps';
export { parseBaseConfig } from './dag/document/parse-base-config';
export { parseDag, type ParseOptions, type ParseResult } from './dag/document/parse-dag';
export { hasArtifacts } from './dag/document/uses-artifacts';
export { isDagName } from './keys/dag-keys/dag-name';
export type { BuildFile } from './model/build-file';
export type { Dag, HandlerKind } from './model/dag';
export { knownHarnesses, type Harness, type Harnesses } from './model/harness';
export type { JsonObject, JsonValue } from './model/json';
export type { MailServer } from './model/mail';
export type { DeclaredOutput, OutputSource } from './model/outputs';
export type { ActionLock, PackagedAction } from './model/packaged-action';
export type { ParamDef, ResolvedParam } from './model/param';
export type { Condition, RepeatPolicy } from './model/policies';
export type { OverlapPolicy, Schedule } from './model/schedule';
export { isEventTrigger, isFileTrigger, type EventTrigger, type FileTrigger, type Trigger } from './model/trigger';
export type { Secret } from './model/secret';
export { askDag, findLocalDag } from './model/ask-dag';
export { agentTools, authoredSteps, findAgent } from './model/agent';
export type { AgentRun, AgentTask, Items, LocalRun, ActionRun, Step, StepRun } from './model/step';
export type { Tool, ToolProvider } from './model/tool';
export type { Finding } from './source/findings/finding';
export { formatFinding, hasErrors } from './source/findings/format-finding';
export { toSarif } from './source/findings/sarif/to-sarif';
