import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { ModelMessage } from '../../host/models/conversation';
import { settleTasks, type AgentDecision, type AgentMemo } from '../../model/run-model/agent-memo';
import { settleTool } from './agent-tools';

/** From this many tokens of a prompt on, only the newest results of tools are sent in full. */
const agingTokens = 200_000;
const keptResults = 20;

interface ConversationOptions {
  /** The `system` of the DAG. */
  readonly system: string | undefined;
  /** What each action came to, by the index of its decision. */
  readonly results: ReadonlyMap<number, string>;
  /** The model that is asked: only it gets its replies back as it has written them. */
  readonly model: Pick<AgentDecision['use'], 'provider' | 'model'>;
}

/** Returns the whole conversation for the next turn. */
export function toConversation(memo: AgentMemo, options: ConversationOptions): readonly ModelMessage[] {
  const { decisions } = memo;
  const isAging = decisions.some(({ use }) => use.inputTokens >= agingTokens);
  const called = decisions.flatMap(({ call }, index) => (call === undefined ? [] : [index]));
  const aged = new Set(isAging ? called.slice(0, -keptResults) : []);
  return [
    { role: 'system', content: toInstructions(memo, options.system) },
    { role: 'user', content: 'Begin.' },
    ...decisions.flatMap((decision, index) => toMessages(decision, { ...options, index, isAged: aged.has(index) })),
  ];
}

function toInstructions(memo: AgentMemo, system: string | undefined): string {
  const tasks = settleTasks(memo).map(({ name, description, status, reason }) => {
    const why = reason === undefined || reason === '' ? '' : ` (${reason})`;
    return `- ${name} [${status}${why}]: ${description}`;
  });
  return [
    ...(system === undefined ? [] : [system, '']),
    'You carry out a workflow. Reach every task below by calling tools, one in each turn.',
    `A tool runs a step of the workflow and returns its result; a step that fails may be run again, or another way be taken. As soon as a task is done, not needed, or impossible, call ${settleTool.name} for it. The workflow ends when no task is open.`,
    '',
    'Tasks:',
    ...tasks,
  ].join('\n');
}

interface MessageOptions extends ConversationOptions {
  readonly index: number;
  readonly isAged: boolean;
}

function toMessages(decision: AgentDecision, options: MessageOptions): readonly ModelMessage[] {
  const { content, call, parts, use } = decision;
  const { model } = options;
  const isOwn = use.provider === model.provider && use.model === model.model;
  const reply: ModelMessage = {
    role: 'assistant',
    content,
    toolCalls: call === undefined ? [] : [call],
    // The provider has made them, and gets them back unchanged.
    ...(parts !== undefined && isOwn ? { parts: parts as unknown as readonly ContentBlockParam[] } : {}),
  };
  if (call === undefined) return [reply, { role: 'user', content: reminder }];
  return [reply, { role: 'tool', toolCallId: call.id, ...toResult(decision, options) }];
}

const reminder = `Tasks are open: call a tool, or settle them with ${settleTool.name}.`;

function toResult(
  { choice }: AgentDecision,
  { results, index, isAged }: MessageOptions,
): { readonly content: string; readonly isError: boolean } {
  switch (choice.kind) {
    case 'action': {
      const { step, run, end } = choice;
      const status = end?.status ?? 'not_started';
      const short = `${step}, run ${run}: ${status}. Its result is left out, because it is old.`;
      return { content: isAged ? short : (results.get(index) ?? ''), isError: status !== 'succeeded' };
    }
    case 'ask_user':
      return choice.end?.status === 'succeeded'
        ? { content: `The answer: ${choice.end.answer}`, isError: false }
        : { content: 'The question was withdrawn, and nobody has answered.', isError: true };
    case 'task_status':
      return { content: `The task ${choice.task} is ${choice.status}.`, isError: false };
    case 'rejected':
      return { content: choice.reason, isError: true };
    case 'stalled':
      return { content: '', isError: false };
  }
}
