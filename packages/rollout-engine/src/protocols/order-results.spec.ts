import fc from 'fast-check';
import type { Message } from '@weir/rollout-core';
import { orderResults } from './order-results';

const answer = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  content: '',
  ...(ids.length === 0 ? {} : { toolCalls: ids.map((id) => ({ id, name: 'look_up', arguments: '{}' })) }),
});
const result = (id: string): Message => ({ role: 'tool', content: `of ${id}`, toolCallId: id });
const user: Message = { role: 'user', content: 'Well?' };

const order = (...messages: readonly Message[]) => orderResults(messages, 'messages');

describe('orderResults', () => {
  it('puts results in any order into that of their calls, and changes nothing else', () => {
    const turn = fc
      .uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 6 })
      .chain((ids) => fc.record({ ids: fc.constant(ids), sent: fc.shuffledSubarray(ids, { minLength: ids.length }) }));
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 5 }), (turns) => {
        const conversation = (pick: (each: (typeof turns)[number]) => readonly string[]) =>
          turns.flatMap((each) => [user, answer(...each.ids), ...pick(each).map(result)]);
        expect(order(...conversation(({ sent }) => sent))).toEqual(conversation(({ ids }) => ids));
      }),
    );
  });

  it('leaves other messages between results where they are', () => {
    expect(order(answer('a', 'b'), result('b'), user, result('a'))).toEqual([
      answer('a', 'b'),
      result('a'),
      user,
      result('b'),
    ]);
  });

  it.each([
    ['of an earlier answer', [answer('a'), result('a'), answer('b'), result('a')], 'tool_result_unknown', '"a"'],
    ['of no answer', [answer('a'), result('x')], 'tool_result_unknown', '"x"'],
    ['that is the second of its call', [answer('a'), result('a'), result('a')], 'tool_result_doubled', '"a"'],
    ['of one of two calls with one id', [answer('a', 'a'), result('a')], 'tool_result_doubled', 'same id'],
    ['whose call comes after one without', [answer('a', 'b'), result('b')], 'tool_result_missing', '"a"'],
  ])('refuses a result %s', (_, messages, reason, text) => {
    expect(() => order(...messages)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        reason,
        message: expect.stringContaining(text) as string,
      }) as Error,
    );
  });

  it.each([
    ['calls that have no results yet', [answer('a', 'b'), result('a'), user]],
    ['two calls with one id and no results', [answer('a', 'a'), user]],
    ['results behind an answer without calls', [answer(), result('y'), result('x')]],
    ['results before any answer', [result('b'), result('a'), user]],
  ])('accepts %s', (_, messages) => {
    expect(order(...messages)).toEqual(messages);
  });
});
