export type { StoredChildRuns } from './child-placement';
export { createChildRuns, type ChildRunPorts } from './child-runs';
export { createWorker, type CreateHeartbeat, type WorkerPorts } from './create-worker';
export { createInMemoryWorkerRepository } from './in-memory-worker-repository';
export { createLoopHeartbeat, type Heartbeat } from './heartbeat';
export { createLockHeartbeat } from './lock-heartbeat';
export { Worker, type WorkerOptions } from './worker';
export {
  createPrismaWorkerRepository,
  type ListedWorker,
  type WorkerIdentity,
  type WorkerRecord,
  type WorkerRepository,
} from './worker-repository';
export { labelsOfToken } from './token-labels';
export { createScriptFolder, type ScriptFolder } from './script-folder';
