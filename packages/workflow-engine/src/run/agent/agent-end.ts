import type { StepOutcome } from '../../model/steps/step-outcome';
import { settleTasks, type AgentMemo } from '../../model/run-model/agent-memo';
import { nodeStatus } from '../../model/statuses/node-status';

const maxDecisions = 50;
/** Replies without a call in a row: the model is reminded after the first. */
const maxStalls = 2;

/** Returns the end of an agent that has nothing to do, or may do no more. */
export function findEnd(memo: AgentMemo): StepOutcome | undefined {
  const tasks = settleTasks(memo);
  const open = tasks.filter(({ status }) => status === 'open');
  const value = tasks.map(({ name, status, reason }) => ({
    name,
    status,
    ...(reason === undefined ? {} : { reason }),
  }));
  const outputs = { fields: [], declared: [{ name: 'tasks', value }] };
  const failed = (why: string): StepOutcome => ({ status: 'failed', error: why, outputs });
  if (open.length === 0) {
    const missed = tasks.filter(({ status }) => status === 'failed');
    if (missed.length > 0)
      return failed(missed.map(({ name, reason = '' }) => describeFailure(name, reason)).join('; '));
    return { status: hasFailedAction(memo) ? 'partially_succeeded' : 'succeeded', outputs };
  }
  const names = open.map(({ name }) => `"${name}"`).join(', ');
  const last = memo.decisions.slice(-maxStalls);
  if (last.length === maxStalls && last.every(({ choice }) => choice.kind === 'stalled')) {
    return failed(`the model has called no tool ${maxStalls} times in a row; open tasks: ${names}`);
  }
  if (memo.decisions.length < maxDecisions) return undefined;
  return failed(`the model has made ${maxDecisions} decisions, which is the limit; open tasks: ${names}`);
}

function describeFailure(name: string, reason: string): string {
  return `the task "${name}" has failed${reason === '' ? '' : `: ${reason}`}`;
}

/** Whether the last run of a step has failed. */
function hasFailedAction({ decisions }: AgentMemo): boolean {
  const last = new Map(
    decisions.flatMap(({ choice }) => (choice.kind === 'action' ? [[choice.step, choice.end?.status] as const] : [])),
  );
  return [...last.values()].some((status) => status !== undefined && nodeStatus.isFailed(status));
}
