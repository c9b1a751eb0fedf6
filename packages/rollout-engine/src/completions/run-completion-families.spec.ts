import { chooseReasoningParser, type Message } from '@weir/rollout-core';
import { answerForms, type AnswerForm, type WrittenAnswer } from '@weir/rollout-core/testing';
import type { FakeAnswer } from '@weir/fake-engine';
import { answerEnd, testFamilies, type TestFamilyName } from '../testing/test-families';
import {
  aCompletion,
  aSession,
  forever,
  play,
  startCompletionFixture,
  type CompletionFixture,
} from './testing/completion-fixture';
import { add } from './testing/use-completion-fixture';

const deliveries: readonly (readonly [string, Omit<FakeAnswer, 'ids'>])[] = [
  ['token by token', { tokensPerPiece: 1 }],
  ['in pieces', { tokensPerPiece: 'seeded' }],
  ['at once', {}],
];

const cases = answerForms.flatMap((form) =>
  deliveries.map(([name, delivery]) => [form.family, form.variant ?? 'all', name, form, delivery] as const),
);

const isTested = (family: string): family is TestFamilyName => family in testFamilies;

describe('a conversation with a model of a family', () => {
  let fixture: CompletionFixture;
  afterEach(() => fixture.stop());

  const start = async (family: string): Promise<TestFamilyName> => {
    if (!isTested(family)) throw new Error(`There is no template of ${family} to test with.`);
    fixture = await startCompletionFixture('sglang', { family });
    return family;
  };

  /** The engine samples this answer next. Returns its ids. */
  const willAnswer = async (
    form: AnswerForm,
    family: TestFamilyName,
    answer: WrittenAnswer,
    delivery: Omit<FakeAnswer, 'ids'>,
  ): Promise<readonly number[]> => {
    const end = answerEnd(family, answer.calls.length > 0);
    const ids = [...(await fixture.tokenizer.encode(form.write(answer) + end, { control: true }))];
    fixture.fake.setScript(() => ({ ids, ...delivery }));
    return ids;
  };

  it.each(cases)('%s, %s: is continued on its ids, sampled %s', async (name, _variant, _name, form, delivery) => {
    const family = await start(name);
    const hasReasoning = chooseReasoningParser(testFamilies[family].chatTemplate) !== 'none';
    const reasoning = hasReasoning ? { reasoning: 'They want a sum.' } : {};
    const call = { name: 'add', arguments: { a: 41 } };
    const answers: readonly WrittenAnswer[] = [
      { ...reasoning, content: '', calls: [call] },
      { ...reasoning, content: 'It is 42.', calls: [] },
      { ...reasoning, content: 'You are welcome.', calls: [] },
    ];
    const session = aSession();
    let messages: readonly Message[] = [{ role: 'user', content: 'hello' }];
    let path: readonly number[] = [];
    for (const [turn, answer] of answers.entries()) {
      const ids = await willAnswer(form, family, answer, delivery);
      const request = aCompletion({ messages, tools: [add], toolChoice: { kind: 'auto' } });
      const { output, text } = await play(fixture.runCompletion(session, request, forever()));

      const prompt = [...(fixture.fake.calls.at(-1)?.request.promptIds ?? [])];
      // Templates of Mistral move the tools to the newest question, so its tokens are others.
      if (!(name === 'mistral' && turn === 2)) expect(prompt.slice(0, path.length)).toEqual(path);
      expect([...(session.cache.last?.sampled.ids ?? [])]).toEqual(ids);
      expect([output.reasoning, output.content, text]).toEqual([answer.reasoning, answer.content, answer.content]);
      expect(output.toolCalls?.map((made) => [made.name, JSON.parse(made.arguments) as unknown])).toEqual(
        answer.calls.length === 0 ? undefined : [[call.name, call.arguments]],
      );
      path = [...prompt, ...ids];
      const [made] = output.toolCalls ?? [];
      const next: Message =
        made === undefined ? { role: 'user', content: 'thanks' } : { role: 'tool', content: '42', toolCallId: made.id };
      messages = [...messages, output, next];
    }
  });

  it('names the results of Kimi K2 by the ids of its calls', async () => {
    const family = await start('kimi-k2');
    const [form] = answerForms.filter((one) => one.family === 'kimi-k2');
    if (form === undefined) throw new Error('There is no form of Kimi K2.');
    const answer = { content: '', calls: [{ name: 'add', arguments: { a: 1 } }] };
    await willAnswer(form, family, answer, {});
    const session = aSession();
    const request = aCompletion({ tools: [add], toolChoice: { kind: 'auto' } });
    const { output } = await play(fixture.runCompletion(session, request, forever()));
    const result: Message = { role: 'tool', content: '2', toolCallId: output.toolCalls?.[0]?.id ?? '' };
    await play(
      fixture.runCompletion(session, { ...request, messages: [...request.messages, output, result] }, forever()),
    );
    const decoder = fixture.tokenizer.createDecoder({ showsControl: () => true });
    const prompt = decoder.push(Int32Array.from(fixture.fake.calls.at(-1)?.request.promptIds ?? []));
    expect(prompt).toContain('## Return of functions.add:0\n2');
  });

  it.each([
    ['enabled', 'Hm.</mm:think>', 'Hm.'],
    ['enabled', '</mm:think>', undefined],
    ['disabled', '', undefined],
    ['adaptive', '<mm:think>Hm.</mm:think>', 'Hm.'],
    ['adaptive', '</mm:think>', undefined],
  ])('continues MiniMax M3 in its thinking mode %s after %j', async (mode, front, reasoning) => {
    await start('minimax-m3');
    const ids = [...(await fixture.tokenizer.encode(`${front}Hello[e~[`, { control: true }))];
    fixture.fake.setScript(() => ({ ids }));
    const session = aSession();
    const request = aCompletion({ templateArguments: { thinking_mode: mode } });
    const { output } = await play(fixture.runCompletion(session, request, forever()));
    expect([output.reasoning, output.content]).toEqual([reasoning, 'Hello']);
    const path = [...(fixture.fake.calls.at(-1)?.request.promptIds ?? []), ...ids];
    const messages: readonly Message[] = [...request.messages, output, { role: 'user', content: 'thanks' }];
    await play(fixture.runCompletion(session, { ...request, messages }, forever()));
    expect(fixture.fake.calls.at(-1)?.request.promptIds.slice(0, path.length)).toEqual(path);
  });

  it('may think, or mark that it does not, before a call that is required of MiniMax M3', async () => {
    await start('minimax-m3');
    const request = aCompletion({ tools: [add], toolChoice: { kind: 'required' } });
    const ids = [...(await fixture.tokenizer.encode('</mm:think>[e~[', { control: true }))];
    fixture.fake.setScript(() => ({ ids }));
    await play(fixture.runCompletion(aSession(), request, forever()));
    expect(fixture.fake.calls.at(-1)?.request.body).toMatchObject({
      sampling_params: {
        ebnf: expect.stringMatching(
          /^root ::= \(\("<mm:think>" t\d+\)\? "<\/mm:think>" \[\\n\]\{0,2\}\)\? answer\n/,
        ) as string,
      },
    });
  });

  it('may end the thought that the prompt opened before a call that is required', async () => {
    await start('minimax');
    const ids = [...(await fixture.tokenizer.encode('Hm.</think>[e~[', { control: true }))];
    fixture.fake.setScript(() => ({ ids }));
    const request = aCompletion({ tools: [add], toolChoice: { kind: 'required' } });
    const { output } = await play(fixture.runCompletion(aSession(), request, forever()));
    expect(output.reasoning).toBe('Hm.');
    expect(fixture.fake.calls.at(-1)?.request.body).toMatchObject({
      sampling_params: { ebnf: expect.stringMatching(/^root ::= t\d+ "<\/think>" \[\\n\]\{0,2\} answer\n/) as string },
    });
  });
});
