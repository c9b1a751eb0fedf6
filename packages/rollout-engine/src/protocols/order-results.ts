import type { Message, ToolCall } from '@weir/rollout-core';
import { invalidRequest } from './invalid-request';

/**
 * Puts the results behind each answer into the order of its calls, because chat templates pair both by position. `param`
 * names the messages in errors. Throws `tool_result_unknown`, `tool_result_doubled` or `tool_result_missing`. Behind an
 * answer without calls results stay as they are: there the client has read the calls by itself.
 */
export function orderResults(messages: readonly Message[], param: string): readonly Message[] {
  const ordered: Message[] = [];
  let calls: readonly ToolCall[] = [];
  let turn: Message[] = [];
  const closeTurn = (): void => {
    for (const message of calls.length === 0 ? turn : orderTurn(turn, calls, param)) ordered.push(message);
    turn = [];
  };
  for (const message of messages) {
    if (message.role === 'assistant') {
      closeTurn();
      calls = message.toolCalls ?? [];
      ordered.push(message);
    } else turn.push(message);
  }
  closeTurn();
  return ordered;
}

/** Other messages between the results keep their places. */
function orderTurn(turn: readonly Message[], calls: readonly ToolCall[], param: string): readonly Message[] {
  const given = turn.filter(({ role }) => role === 'tool');
  if (given.length === 0) return turn;
  const numbers = new Map(calls.map(({ id }, number) => [id, number]));
  if (numbers.size < calls.length) throw refused(param, 'doubled', 'two calls of an answer have the same id.');
  const results: (Message | undefined)[] = [];
  for (const result of given) {
    const id = result.toolCallId ?? '';
    const number = numbers.get(id);
    if (number === undefined) throw refused(param, 'unknown', `the answer before it makes no call ${show(id)}.`);
    if (results[number] !== undefined) throw refused(param, 'doubled', `the call ${show(id)} has two results.`);
    results[number] = result;
  }
  const missing = calls[results.findIndex((result) => result === undefined)];
  if (missing !== undefined) {
    throw refused(param, 'missing', `the call ${show(missing.id)} has no result, but a later call has one.`);
  }
  const remaining = results.values();
  return turn.map((message) => (message.role === 'tool' ? (remaining.next().value ?? message) : message));
}

const maxShown = 80;
const show = (id: string): string => JSON.stringify(id.slice(0, maxShown));

function refused(param: string, problem: 'unknown' | 'doubled' | 'missing', sentence: string): Error {
  return invalidRequest(param, sentence, `tool_result_${problem}`);
}
