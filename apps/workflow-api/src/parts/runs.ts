// The commands about runs. They are loaded apart from the command line, and only when one of them is used.
export { completeTask } from '../commands/complete-task';
export { decideApproval } from '../commands/decide-approval';
export { dryRun } from '../commands/dry-run';
export { enqueueRun } from '../commands/enqueue-run';
export { listDagFiles } from '../commands/list-dags';
export { removeRuns } from '../commands/remove-runs';
export { restartRun } from '../commands/restart-run';
export { retryRun } from '../commands/retry-run';
export { showActive, showHistory } from '../commands/show-history';
export { showStatus } from '../commands/show-status';
export { startRun } from '../commands/start-run';
export { dequeueRuns, stopRuns } from '../commands/stop-run';
