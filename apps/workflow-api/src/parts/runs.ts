// The commands about runs. They are loaded apart from the command line, and only when one of them is used.
export { completeTask } from '../commands/decisions/complete-task';
export { decideApproval } from '../commands/decisions/decide-approval';
export { dryRun } from '../commands/runs/dry-run';
export { enqueueRun } from '../commands/runs/enqueue-run';
export { listDagFiles } from '../commands/runs/list-dags';
export { removeRuns } from '../commands/runs/remove-runs';
export { restartRun } from '../commands/runs/restart-run';
export { retryRun } from '../commands/runs/retry-run';
export { showActive, showHistory } from '../commands/runs/show-history';
export { showStatus } from '../commands/runs/show-status';
export { startRun } from '../commands/runs/start-run';
export { dequeueRuns, stopRuns } from '../commands/runs/stop-run';
