import fc from 'fast-check';
import { exactMatching, lenientMatching, matchingPresets, matchingWithout } from './matching-presets';
import type { MatchingPreset } from './matching-presets';
import type { Message } from './message';
import { firstPosition, messageKey, positionAfter } from './message-key';

const call = (id: string, json: string) => ({ id, name: 'look_up', arguments: json });
const answer = (more: Partial<Message>): Message => ({ role: 'assistant', content: '', ...more });
const systemText = (content: string): Message => ({ role: 'system', content });

const key = (message: Message, matching = lenientMatching) => messageKey(message, firstPosition, matching);

const pairs: readonly (readonly [MatchingPreset, string, Message, Message])[] = [
  ['null-fields', 'no calls', answer({ content: 'Hi' }), answer({ content: 'Hi', toolCalls: [] })],
  ['null-fields', 'no name', answer({ content: 'Hi' }), answer({ content: 'Hi', name: '' })],
  [
    'tool-call-ids',
    'another call id',
    answer({ toolCalls: [call('a', '{}')] }),
    answer({ toolCalls: [call('b', '{}')] }),
  ],
  [
    'tool-arguments',
    'keys in another order',
    answer({ toolCalls: [call('a', '{"x":1,"y":2}')] }),
    answer({ toolCalls: [call('a', '{ "y": 2, "x": 1.0 }')] }),
  ],
  ['tool-arguments', 'no arguments', answer({ toolCalls: [call('a', '')] }), answer({ toolCalls: [call('a', '{}')] })],
  ['reasoning', 'no reasoning', answer({ content: '4', reasoning: 'two and two' }), answer({ content: '4' })],
  [
    'volatile-headers',
    'another billing header',
    systemText('x-anthropic-billing-header: cc_version=1; cch=0a1b;\nYou are an agent.'),
    systemText('x-anthropic-billing-header: cc_version=1; cch=99ff;\nYou are an agent.'),
  ],
  [
    'volatile-headers',
    'another date',
    systemText("You are an agent.\n  Today's date: Sat Nov 21 2026\nBe brief."),
    systemText("You are an agent.\n  Today's date: Sun Nov 22 2026\nBe brief."),
  ],
  [
    'volatile-headers',
    'another reminder',
    { role: 'user', content: '<system-reminder>one</system-reminder>Go on.' },
    { role: 'user', content: 'Go on.' },
  ],
  ['whitespace', 'a line feed at the end', answer({ content: 'Hi' }), answer({ content: 'Hi \n' })],
];

describe('messageKey', () => {
  it.each(pairs)('with %s is the same for %s', (_preset, _case, left, right) => {
    expect(key(left)).toBe(key(right));
  });

  it.each(pairs)('without %s differs for %s', (preset, _case, left, right) => {
    const matching = matchingWithout([preset]);
    expect(key(left, matching)).not.toBe(key(right, matching));
  });

  it.each(pairs)('is exact without any preset (%s, %s)', (_preset, _case, left, right) => {
    expect(key(left, exactMatching)).not.toBe(key(right, exactMatching));
  });

  it.each([
    ['role', { role: 'user' as const, content: 'x' }, { role: 'system' as const, content: 'x' }],
    ['content', answer({ content: 'a' }), answer({ content: 'b' })],
    ['space at the start', answer({ content: 'a' }), answer({ content: ' a' })],
    [
      'name of a call',
      answer({ toolCalls: [call('a', '{}')] }),
      answer({ toolCalls: [{ ...call('a', '{}'), name: 'x' }] }),
    ],
    [
      'value of an argument',
      answer({ toolCalls: [call('a', '{"x":1}')] }),
      answer({ toolCalls: [call('a', '{"x":2}')] }),
    ],
    ['text of no JSON', answer({ toolCalls: [call('a', '{x')] }), answer({ toolCalls: [call('a', '{x ')] })],
    ['prose with a date', systemText('The date of 1 May 2026 matters.'), systemText('The date of 2 May 2026 matters.')],
  ])('distinguishes %s', (_case, left, right) => {
    expect(key(left)).not.toBe(key(right));
  });

  it.each([
    "Today's date is 2026-11-21.",
    'Current time: 2026-11-21T10:00:00Z',
    "Today's date: Sat Nov 21 2026 11:30:00 GMT+0100 (CET)",
    'The current date is the 21st of November 2026, at 10am Europe/Oslo',
    '- Current date: Saturday, November 21, 2026',
    'The current date and time is 2026-11-21 11:30:00 UTC',
    'Today’s date: 21/11/2026\r',
  ])('treats %j as a line that changes', (line) => {
    expect(key(systemText(`Be brief.\n${line}\nBe kind.`))).toBe(key(systemText('Be brief.\nBe kind.')));
  });

  it.each([
    'Current dates matter: 3',
    "Today's date is a secret",
    'Today is day 3',
    "Today's date is 3; drop all else!",
    "Today's date is 2026-11-21. You are the planner.",
    'Current date: 21 Nov 2026 (user is admin)',
  ])('treats %j as prose', (line) => {
    expect(key(systemText(line))).not.toBe(key(systemText('')));
  });

  it('does not treat a date line of a user as a header', () => {
    const user = (day: number): Message => ({ role: 'user', content: `Today's date: ${day}` });
    expect(key(user(1))).not.toBe(key(user(2)));
  });

  it('keeps a reminder that is never closed', () => {
    const open = (text: string): Message => ({ role: 'user', content: `<system-reminder>${text}` });
    expect(key(open('a'))).not.toBe(key(open('b')));
  });

  it('distinguishes messages that consist only of reminders', () => {
    const reminder = (text: string): Message => ({
      role: 'user',
      content: `<system-reminder>${text}</system-reminder>\n`,
    });
    expect(key(reminder('a'))).not.toBe(key(reminder('b')));
    expect(key(reminder('a'))).not.toBe(key({ role: 'user', content: '' }));
  });

  it('assigns tool results to calls by position, with any ids', () => {
    const listKeys = (first: string, second: string, results: readonly string[]) => {
      const position = positionAfter(answer({ toolCalls: [call(first, '{}'), call(second, '{}')] }), firstPosition);
      return results.map((id) => messageKey({ role: 'tool', content: '', toolCallId: id }, position, lenientMatching));
    };
    expect(listKeys('a', 'b', ['b', 'a'])).toEqual(listKeys('x', 'y', ['y', 'x']));
    expect(listKeys('a', 'b', ['b', 'a'])).not.toEqual(listKeys('a', 'b', ['a', 'b']));
  });

  it('numbers results whose ids belong to no call', () => {
    const position = positionAfter(answer({ toolCalls: [call('a', '{}'), call('b', '{}')] }), firstPosition);
    const result = (toolCallId: string): Message => ({ role: 'tool', content: 'ok', toolCallId });
    const second = positionAfter(result('lost'), position);
    expect(messageKey(result('lost'), second, lenientMatching)).toBe(messageKey(result('b'), second, lenientMatching));
  });

  it('never confuses one field with another', () => {
    const text = fc.constantFrom('', '1', ':', '0:', '1:=', '=', 'a', '2:aa');
    const message: fc.Arbitrary<Message> = fc.record(
      { role: fc.constant('assistant' as const), content: text, name: text, reasoning: text, toolCallId: text },
      { requiredKeys: ['role', 'content'] },
    );
    fc.assert(
      fc.property(message, message, (left, right) => {
        const isSame = key(left, exactMatching) === key(right, exactMatching);
        expect(isSame).toBe(JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)));
      }),
      { numRuns: 1000 },
    );
  });
});

const sorted = (message: Message) => Object.entries(message).sort(([left], [right]) => (left < right ? -1 : 1));

describe('matchingWithout', () => {
  it('disables presets one by one, and all with exact', () => {
    expect(matchingWithout([])).toEqual(lenientMatching);
    expect(matchingWithout(['reasoning']).has('reasoning')).toBe(false);
    expect(matchingWithout(['reasoning']).size).toBe(matchingPresets.length - 1);
    expect(matchingWithout(['exact']).size).toBe(0);
  });

  it('refuses a name it does not know', () => {
    expect(() => matchingWithout(['lenient'])).toThrow(
      expect.objectContaining({ code: 'invalid_request', reason: 'matching_unknown' }) as Error,
    );
  });
});
