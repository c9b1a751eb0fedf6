import { executeHandler } from './handlers/execute-handler';
import { nodeKey } from '../model/run-model/dag-run';
import type { ScopeEnd } from '../scope/loop/active-scope';
import { runStatus } from '../model/statuses/run-status';
import { recordEnd } from './end-run';
import type { RunContext } from './context/run-context';

/** Releases the slot of the run until a person has answered. */
export async function waitForPeople(context: RunContext, { waiting, outputs }: ScopeEnd): Promise<void> {
  const { dag, log, mailer } = context;
  await wakeForEndedChildren(context, waiting);
  const waitingSteps = waiting.map((index) => dag.steps[index]?.name ?? '');
  const inherited = outputs.all();
  await executeHandler(context, { kind: 'wait', status: 'waiting', inherited, waitingSteps, isRepeated: true });
  await recordEnd(context, { status: 'waiting', finishedAt: null, error: null, waiting: waitingSteps.length });
  log.write('run waits', { steps: waitingSteps.join(',') });
  await mailer.runEnded('waiting');
}

/** A child run may have ended before it was stored that the step waits for it. */
async function wakeForEndedChildren({ ports, run, dag }: RunContext, waiting: readonly number[]): Promise<void> {
  const { runs, clock } = ports;
  for (const position of waiting) {
    const step = dag.steps[position];
    const isCall = step?.run.kind === 'action' && step.run.action === 'dag.run';
    if (step === undefined || !(isCall || step.run.kind === 'agent')) continue;
    // With outputs its work is done, and it waits for an approval.
    if (step.approval !== undefined && (await runs.readOutputs(run.id)).has(position)) continue;
    const children = await runs.listChildren(run.id, nodeKey({ scope: '', position }));
    if (!children.every(({ status }) => runStatus.isTerminal(status))) continue;
    await runs.commit(run.id, { kind: 'child_ended', step: { scope: '', position }, at: clock.now() });
  }
}
