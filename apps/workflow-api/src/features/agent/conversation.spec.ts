import type { StoredMessage } from './agent-session';
import { countSteps, fitConversation, nextStep, toModelMessages } from './conversation';

const call = (id: string) => ({ id, name: 'list_dags', arguments: '{}' });
let sequence = 0;
const aMessage = (type: StoredMessage['type'], data: StoredMessage['data'] = {}, content = ''): StoredMessage => {
  sequence += 1;
  return { id: `m${sequence}`, type, data, content, sequence, createdAt: new Date(0) };
};
const written = (content: string): StoredMessage => aMessage('user', {}, content);
const asking = (...ids: string[]): StoredMessage => aMessage('assistant', { toolCalls: ids.map(call) });
const result = (id: string): StoredMessage =>
  aMessage('user', { toolResults: [{ toolCallId: id, content: `of ${id}`, isError: false }] });
const approval = (id: string, isApproved: boolean): StoredMessage =>
  aMessage('user', { approval: { toolCallId: id, isApproved } }, 'Yes');

describe('the next step of a session', () => {
  it.each<[string, readonly StoredMessage[], unknown]>([
    ['asks the model what a person has written', [written('hi')], { kind: 'ask' }],
    ['is none after its reply', [written('hi'), aMessage('assistant')], { kind: 'done' }],
    ['is none after a failure', [written('hi'), aMessage('error')], { kind: 'done' }],
    [
      'asks again when the person writes after a failure',
      [written('hi'), aMessage('error'), written('so?')],
      { kind: 'ask' },
    ],
    [
      'is the first call without a result',
      [written('hi'), asking('a', 'b'), result('a')],
      { kind: 'call', call: call('b') },
    ],
    ['asks the model once all calls have results', [written('hi'), asking('a'), result('a')], { kind: 'ask' }],
    [
      'is a call with the decision about it',
      [written('hi'), asking('a'), aMessage('user_prompt'), approval('a', true)],
      { kind: 'call', call: call('a'), isApproved: true },
    ],
    [
      'gives up calls that a person has written after',
      [written('hi'), asking('a', 'b'), approval('a', true), written('no, stop')],
      { kind: 'ask' },
    ],
    [
      'is none after a failure between call and result',
      [written('hi'), asking('a'), aMessage('error')],
      { kind: 'done' },
    ],
  ])('%s', (_, messages, expected) => {
    expect(nextStep(messages)).toEqual(expected);
  });

  it('never applies the decision about one call to another', () => {
    expect(nextStep([written('hi'), asking('a', 'b'), approval('a', true), result('a')])).toEqual({
      kind: 'call',
      call: call('b'),
    });
  });

  it("is counted from the person's last message", () => {
    expect(
      countSteps([
        written('a'),
        asking('a'),
        result('a'),
        written('b'),
        asking('b'),
        result('b'),
        aMessage('assistant'),
      ]),
    ).toBe(2);
  });
});

describe('what the model is sent', () => {
  it('have a result right after each call, even if other messages were written in between', () => {
    const messages = [written('hi'), asking('a', 'b'), written('wait'), result('a'), aMessage('error')];

    expect(toModelMessages('rules', messages)).toEqual([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: '', toolCalls: [call('a'), call('b')] },
      { role: 'tool', toolCallId: 'a', content: 'of a', isError: false },
      { role: 'tool', toolCallId: 'b', content: expect.stringContaining('interrupted') as string, isError: true },
      { role: 'user', content: 'wait' },
    ]);
  });

  it('name the subject of a message as text', () => {
    const about = aMessage('user', { dagContexts: [{ dagFile: 'nightly', dagRunId: 'r1' }] }, 'Why?');
    expect(toModelMessages('', [about])[1]?.content).toContain('DAG "nightly", run "r1"');
  });

  it('omit the oldest results of tools where they are too long, but keep the newest four', () => {
    const long = Array.from({ length: 6 }, (_, index) => ({
      role: 'tool' as const,
      toolCallId: `${index}`,
      content: 'x'.repeat(1_000),
      isError: false,
    }));
    const lengths = fitConversation(long, 4_600).map(({ content }) => content.length === 1_000);
    expect(lengths).toEqual([false, false, true, true, true, true]);
    expect(fitConversation(long, 0).filter(({ content }) => content.length === 1_000)).toHaveLength(4);
    expect(fitConversation(long, 6_000)).toEqual(long);
  });
});
