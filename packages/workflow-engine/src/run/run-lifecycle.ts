import { checkRunPreconditions } from '../scope/conditions/run-preconditions';
import { executeHandler } from './handlers/execute-handler';
import { planDag } from '../model/plan/plan';
import { executeScope } from '../scope/execute-scope';
import type { ScopeEnd } from '../scope/loop/active-scope';
import { hasStarted } from '../scope/loop/step-snapshot';
import { runStatus } from '../model/statuses/run-status';
import { nodeStatus } from '../model/statuses/node-status';
import { endRun, reportEnd, toRunEnd } from './end-run';
import { commitOwned } from '../model/ports/run-store';
import { endUnstartedSteps, refuseRun } from './refuse-run';
import type { RunContext } from './context/run-context';
import { waitForPeople } from './wait-for-people';

/**
 * Executes the phases of a run: preconditions, init, steps, the handlers of their end, exit. What was done before an
 * interruption is not repeated.
 */
export async function executeLifecycle(context: RunContext): Promise<void> {
  const isResumed = context.steps.some(({ status, retryCount, doneCount }) =>
    hasStarted({ status, retries: retryCount, iterations: doneCount, continues: false }),
  );
  const steps = context.steps.filter(({ scope }) => scope === '');
  // Interrupted while the handlers of a declined run were executing.
  if (
    runStatus.isDeclined(
      'aborted',
      steps.map(({ status }) => status),
    )
  ) {
    await endRun(context, { status: 'aborted', error: 'precondition: not met' });
    return;
  }
  if (!isResumed && (await isDeclined(context))) return;
  const init = await executeHandler(context, { kind: 'init', status: 'running', stop: context.stop });
  if (init !== undefined && !nodeStatus.isPassed(init.status)) {
    await endWithoutSteps(context, { steps: 'aborted', error: init.error ?? 'the init step did not succeed' });
    return;
  }
  const end = await executeDagSteps(context);
  if (runStatus.isWaiting(end.status)) await waitForPeople(context, end);
  else if (end.runEnd === undefined) await endRun(context, { status: end.status, inherited: end.outputs.all() });
  else await reportEnd(context, end.runEnd);
}

/** Whether no step executes because the preconditions of the DAG do not hold, which is no failure. */
async function isDeclined(context: RunContext): Promise<boolean> {
  const result = await checkRunPreconditions(context);
  if (result.kind === 'met') return false;
  if (result.kind === 'failed') {
    await refuseRun(context, `precondition: ${result.error}`);
    return true;
  }
  await endWithoutSteps(context, { steps: 'skipped', error: `precondition: ${result.reason}` });
  return true;
}

function executeDagSteps(context: RunContext): Promise<ScopeEnd> {
  const { dag, steps, values, stop } = context;
  const hasHandlers = Object.keys(dag.handlers ?? {}).length > 0;
  return executeScope(context, {
    scope: '',
    plan: planDag(dag.steps),
    steps: steps.filter(({ scope }) => scope === ''),
    values,
    stop,
    maxActiveSteps: dag.maxActiveSteps,
    delaySec: dag.delaySec,
    timeoutSec: dag.timeoutSec,
    // When nothing follows the steps, their end and that of the run are one.
    toRunEnd: (status) => (hasHandlers || !runStatus.isTerminal(status) ? undefined : toRunEnd(context, { status })),
  });
}

async function endWithoutSteps(
  context: RunContext,
  end: { readonly steps: 'aborted' | 'skipped'; readonly error: string },
): Promise<void> {
  const { ports, lease, steps } = context;
  const patches = endUnstartedSteps(steps, { status: end.steps, finishedAt: ports.clock.now() });
  await commitOwned(context, { kind: 'steps_changed', lease, patches });
  await endRun(context, { status: 'aborted', error: end.error });
}
