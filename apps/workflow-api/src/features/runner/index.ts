export { createInMemoryRunnerRepository } from './in-memory-runner-repository';
export { Runner, type RunnerOptions } from './runner';
export { createPrismaRunnerRepository, type RunnerRepository } from './runner-repository';
export { createSlots } from './slots';
export { createScriptFolder, type ScriptFolder } from './script-folder';
