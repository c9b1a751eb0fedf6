import type { Message } from '@weir/rollout-core';
import { testFamilies, type TestFamilyName } from '../testing/test-families';
import { tinyTokenizer } from '../testing/tiny-tokenizer';
import { createHuggingFaceTokenizer } from '../tokenizer/hugging-face-tokenizer';
import { joinIds } from '../tokenizer/join-ids';
import { createPromptBuilder } from './create-prompt-builder';
import type { PromptInput } from './prompt-builder';

const question: Message = { role: 'user', content: 'hello' };
const more: Message = { role: 'user', content: 'more' };
const answer = (content: string): Message => ({ role: 'assistant', content });
const continuation = (content: string): Message => ({ ...answer(content), continues: true });

/** An answer whose tokens say `one</code>`, and what comes next. */
async function afterCutAnswer(name: TestFamilyName) {
  const tokenizer = createHuggingFaceTokenizer(tinyTokenizer(name));
  const prompts = createPromptBuilder({ tokenizer, addedTokens: tokenizer.addedTokens });
  const build = (messages: readonly Message[], changes: Partial<PromptInput> = {}) =>
    prompts.build({ messages, newMessages: messages, tools: [], templateArguments: {}, ...changes });
  const sampled = await tokenizer.encode('one</code>', { control: false });
  const tokens = joinIds([(await build([question])).ids, sampled]);
  const parent = {
    tokens,
    output: answer('one'),
    cutText: '</code>',
    finishReason: 'stop' as const,
    hasReasoning: false,
  };
  const toText = (ids: Int32Array) => {
    const decoder = tokenizer.createDecoder({ showsControl: () => true });
    return decoder.push(ids) + decoder.end();
  };
  return { build, parent, toText };
}

it.each(Object.keys(testFamilies) as TestFamilyName[])(
  'text that a client appended to an answer is rendered in its place: %s',
  async (name) => {
    const { build, parent, toText } = await afterCutAnswer(name);
    const messages = [question, answer('one</code>\nand more '), more];
    const next = await build(messages, { newMessages: [continuation('</code>\nand more '), more], parent });

    expect(next.continuity).toEqual({ kind: 'continued' });
    expect(next.ids.slice(0, next.inherited)).toEqual(parent.tokens);
    // Templates may show what comes before an answer in another way than in the prompt that asked for it.
    const rendered = toText((await build(messages)).ids).split('one</code>');
    expect(toText(next.ids).split('one</code>').slice(1)).toEqual(rendered.slice(1));
  },
);

it('a continuation without a following message is a separate path', async () => {
  const { build, parent } = await afterCutAnswer('chatml');
  const messages = [question, answer('one</code> and')];
  const next = await build(messages, { newMessages: [continuation('</code> and')], parent });

  expect(next.continuity).toEqual({ kind: 'forked', reason: 'nothing_new' });
  expect(next.ids).toEqual((await build(messages)).ids);
});

it('a continuation before results of calls is a separate path', async () => {
  const { build, parent } = await afterCutAnswer('chatml');
  const result: Message = { role: 'tool', content: '5', toolCallId: 'a' };
  const messages = [question, answer('one</code> and'), result];
  const next = await build(messages, { newMessages: [continuation('</code> and'), result], parent });

  expect(next.continuity).toEqual({ kind: 'forked', reason: 'suffix_refused' });
  expect(next.ids).toEqual((await build(messages)).ids);
});
