export { createInMemoryRunnerRepository } from './in-memory-runner-repository';
export type { ChildRuns } from './children/child-port';
export { createFailureReport } from './failure-report';
export { createLoopHeartbeat, type Heartbeat } from './heartbeat';
export { Runner, type RunnerOptions } from './runner';
export { createPrismaRunnerRepository, type RunnerRecord, type RunnerRepository } from './runner-repository';
export { createPermits } from './slots';
export { createScriptFolder, type ScriptFolder } from './script-folder';
