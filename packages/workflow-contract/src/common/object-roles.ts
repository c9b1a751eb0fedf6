import type { UserRole } from './roles';

const running: UserRole = 'operator';
const writing: UserRole = 'developer';
const managing: UserRole = 'manager';

/**
 * The role that an operation on an object needs in the workspace of that object. Operations that are not listed need no
 * more than their access says.
 */
export const objectRoles: Readonly<Record<string, UserRole>> = {
  executeDAG: running,
  executeDAGSync: running,
  enqueueDAGDAGRun: running,
  updateDAGSuspensionState: running,
  stopAllDAGRuns: running,
  terminateDAGRun: running,
  dequeueDAGRun: running,
  moveQueueItem: running,
  startBackfill: running,
  cancelBackfill: running,
  retryDAGRun: running,
  rescheduleDAGRun: running,
  approveDAGRunStep: running,
  approveSubDAGRunStep: running,
  rejectDAGRunStep: running,
  rejectSubDAGRunStep: running,
  pushBackDAGRunStep: running,
  pushBackSubDAGRunStep: running,
  completeHumanTask: running,
  updateDAGRunStepStatus: running,
  updateSubDAGRunStepStatus: running,
  createNewDAG: writing,
  updateDAGSpec: writing,
  renameDAG: writing,
  deleteDAG: writing,
  restoreDAGRevision: writing,
  executeDAGRunFromSpec: writing,
  enqueueDAGRunFromSpec: writing,
  editRetryDAGRun: writing,
  deleteDAGRun: writing,
  createDoc: writing,
  updateDoc: writing,
  renameDoc: writing,
  deleteDoc: writing,
  deleteDocBatch: writing,
  listAuditLogs: managing,
  listEventLogs: managing,
  listSecrets: managing,
  createSecret: managing,
  getSecret: managing,
  updateSecret: managing,
  deleteSecret: managing,
  writeSecretVersion: managing,
  disableSecret: managing,
  enableSecret: managing,
  getWorkspaceRuntimeProfileDefaults: managing,
  updateWorkspaceRuntimeProfileDefaults: managing,
  setWorkspaceRuntimeProfileDefaultVariable: managing,
  setWorkspaceRuntimeProfileDefaultSecret: managing,
  deleteWorkspaceRuntimeProfileDefaultEntry: managing,
};
