// The commands about runs are loaded separately, and only when one of them is used.
export { completeTask } from '../commands/decisions/complete-task';
export { decideApproval } from '../commands/decisions/decide-approval';
export {
  createProfile,
  deleteKey,
  deleteProfile,
  listProfiles,
  setSecret,
  setVariable,
  showProfile,
  switchProfile,
} from '../commands/profiles/profiles';
export { listDeadLetters, redriveDeadLetters } from '../commands/queues/dead-letters';
export { dryRun } from '../commands/runs/dry-run';
export { execRun } from '../commands/runs/exec-run';
export { enqueueRun } from '../commands/runs/enqueue-run';
export { listDagFiles } from '../commands/runs/list-dags';
export { listRemoteDags } from '../commands/runs/list-remote-dags';
export { removeRuns } from '../commands/runs/remove-runs';
export { restartRun } from '../commands/runs/restart-run';
export { retryRun } from '../commands/runs/retry-run';
export { showActive, showHistory } from '../commands/runs/show-history';
export { showLogs } from '../commands/runs/show-logs';
export { showStatus } from '../commands/runs/show-status';
export { startFromRun } from '../commands/runs/start-from-run';
export { startRun } from '../commands/runs/start-run';
export { watchRun } from '../commands/runs/watch-run';
export { dequeueRuns, stopRuns } from '../commands/runs/stop-run';
