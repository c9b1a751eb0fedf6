import type { Node as WireNode } from '@weir/workflow-contract/schemas';
import { settleTasks, type AgentDecision, type AgentMemo, type DagRunStep } from '@weir/workflow-engine/model';

type WireAgent = NonNullable<WireNode['agent']>;
type WireDecision = WireAgent['decisions'][number];

const maxShown = 2_000;

export function presentAgent(memo: AgentMemo, { name, iteration }: Pick<DagRunStep, 'name' | 'iteration'>): WireAgent {
  const decisions = memo.decisions.map((decision, index): WireDecision => {
    const number = memo.first + index;
    // The scope of its action; see `iterationScope`.
    const scope = `${name}/${number}${iteration === 0 ? '' : `.${iteration}.0`}`;
    const { at, use, content } = decision;
    const text = content.trim() === '' ? {} : { text: shorten(content) };
    return { number, at, model: use.model, ...text, ...presentChoice(decision, scope) };
  });
  return { tasks: settleTasks(memo).map((task) => ({ ...task })), decisions };
}

function presentChoice(
  { choice }: Pick<AgentDecision, 'choice'>,
  scope: string,
): Pick<WireDecision, 'kind'> & Partial<WireDecision> {
  switch (choice.kind) {
    case 'action': {
      const { kind, step, run, end } = choice;
      return { kind, step, run, logs: `${scope}/${step}`, ...(end === undefined ? {} : presentEnd(end)) };
    }
    case 'ask_user': {
      const { kind, question, end } = choice;
      const ended = end === undefined ? {} : { status: end.status, answer: shorten(end.answer) };
      return { kind, question: shorten(question), ...ended };
    }
    case 'task_status': {
      const { kind, task, status, reason } = choice;
      return { kind, task, taskStatus: status, reason: shorten(reason) };
    }
    case 'rejected':
      return { kind: 'rejected', reason: choice.reason };
    case 'stalled':
      return { kind: 'stalled' };
  }
}

type ActionEnd = NonNullable<Extract<AgentDecision['choice'], { kind: 'action' }>['end']>;

function presentEnd({ status, startedAt, finishedAt }: ActionEnd): Partial<WireDecision> {
  return {
    status,
    ...(startedAt === null ? {} : { startedAt }),
    ...(finishedAt === null ? {} : { finishedAt }),
  };
}

function shorten(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`;
}
