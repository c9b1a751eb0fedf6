import type { ModelMessage, ToolCall } from '@weir/workflow-engine';
import type { StoredMessage, ToolResult } from './agent-session';

/** The next step of a session. It follows from the messages alone, so that any process can continue after another. */
export type NextStep =
  | { readonly kind: 'ask' }
  | {
      readonly kind: 'call';
      readonly call: ToolCall;
      /** Missing until the person has decided. */ readonly isApproved?: boolean;
    }
  | { readonly kind: 'done' };

export function nextStep(messages: readonly StoredMessage[]): NextStep {
  const last = messages.findLastIndex(({ type }) => type === 'assistant');
  const later = messages.slice(last + 1).filter((message) => message.type !== 'user_prompt');
  const end = later.findLast(({ data }) => data.approval === undefined);
  if (end?.type === 'error') return { kind: 'done' };
  const call = later.some(isWritten) ? undefined : openCalls(messages[last], later)[0];
  if (call !== undefined) {
    const approval = later.find(({ data }) => data.approval?.toolCallId === call.id)?.data.approval;
    return { kind: 'call', call, ...(approval === undefined ? {} : { isApproved: approval.isApproved }) };
  }
  return { kind: end === undefined ? 'done' : 'ask' };
}

/** Counts the calls of the model since the person's last message. */
export function countSteps(messages: readonly StoredMessage[]): number {
  const written = messages.findLastIndex(isWritten);
  return messages.slice(written + 1).filter(({ type }) => type === 'assistant').length;
}

/** Whether a person has typed the message. */
function isWritten({ type, data }: StoredMessage): boolean {
  return type === 'user' && data.toolResults === undefined && data.approval === undefined;
}

function openCalls(assistant: StoredMessage | undefined, later: readonly StoredMessage[]): readonly ToolCall[] {
  const answered = new Set(resultsIn(later).map(({ toolCallId }) => toolCallId));
  return (assistant?.data.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}

const resultsIn = (messages: readonly StoredMessage[]): readonly ToolResult[] =>
  messages.flatMap(({ data }) => data.toolResults ?? []);

const notExecuted =
  'There is no result: the call was interrupted, or the person wrote before it was executed. Look before you repeat it.';

/** Returns the messages for the model: each call is followed by its result, even if other messages were written in between. */
export function toModelMessages(system: string, messages: readonly StoredMessage[]): ModelMessage[] {
  const results = new Map(resultsIn(messages).map((result) => [result.toolCallId, result]));
  return [
    { role: 'system', content: system },
    ...messages.flatMap((message): ModelMessage[] => {
      if (isWritten(message)) return [{ role: 'user', content: withContext(message) }];
      if (message.type !== 'assistant') return [];
      const { toolCalls = [] } = message.data;
      const answers = toolCalls.map(({ id: toolCallId }): ModelMessage => {
        return { role: 'tool', ...(results.get(toolCallId) ?? { toolCallId, content: notExecuted, isError: true }) };
      });
      return [{ role: 'assistant', content: message.content, toolCalls }, ...answers];
    }),
  ];
}

function withContext({ content, data: { dagContexts = [] } }: StoredMessage): string {
  if (dagContexts.length === 0) return content;
  const about = dagContexts.map(({ dagFile, dagRunId }) => {
    return `- DAG ${JSON.stringify(dagFile)}${dagRunId === undefined ? '' : `, run ${JSON.stringify(dagRunId)}`}`;
  });
  return `${content}\n\nThis is about:\n${about.join('\n')}`;
}

const shortened = '(left out, because the conversation is long; call the tool again where it is needed)';
const keptResults = 4;

/** Leaves out the oldest results of tools until the text has at most `maxLength` characters, where that is possible. */
export function fitConversation(messages: readonly ModelMessage[], maxLength: number): readonly ModelMessage[] {
  let surplus = messages.reduce((sum, { content }) => sum + content.length, 0) - maxLength;
  const last = messages.map(({ role }, index) => (role === 'tool' ? index : -1)).filter((index) => index >= 0);
  const spared = new Set(last.slice(-keptResults));
  return messages.map((message, index) => {
    if (surplus <= 0 || message.role !== 'tool' || spared.has(index) || message.content.length <= shortened.length)
      return message;
    surplus -= message.content.length - shortened.length;
    return { ...message, content: shortened };
  });
}
