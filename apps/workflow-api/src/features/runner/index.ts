export { createInMemoryRunnerRepository } from './in-memory-runner-repository';
export { createFailureReport } from './failure-report';
export { createLoopHeartbeat, type Heartbeat } from './heartbeat';
export { Runner, type RunnerOptions } from './runner';
export { createPrismaRunnerRepository, type RunnerRecord, type RunnerRepository } from './runner-repository';
export { createScriptFolder, type ScriptFolder } from './script-folder';
