import type { Message } from '@weir/rollout-core';
import type { TestFamilyName } from '../testing/test-families';
import { joinIds } from '../tokenizer/join-ids';
import type { PromptInput } from './prompt-builder';
import { answer, build as buildFamily, familyNames, input, toParent, user } from './testing/family-prompts';

const question = user('hello');
const more = user('more');
const continuation = (content: string): Message => ({ ...answer(content), continues: true });

/** An answer whose tokens say `one</code>`, and what comes next. */
async function afterCutAnswer(name: TestFamilyName) {
  const { tokenizer, prompts, toText } = buildFamily(name);
  const build = (messages: readonly Message[], changes?: Partial<PromptInput>) =>
    prompts.build(input(messages, changes));
  const sampled = await tokenizer.encode('one</code>', { control: false });
  const tokens = joinIds([(await build([question])).ids, sampled]);
  const parent = toParent(tokens, answer('one'), { cutText: '</code>' });
  return { build, parent, toText };
}

it.each(familyNames)('text that a client appended to an answer is rendered in its place: %s', async (name) => {
  const { build, parent, toText } = await afterCutAnswer(name);
  const messages = [question, answer('one</code>\nand more '), more];
  const next = await build(messages, { newMessages: [continuation('</code>\nand more '), more], parent });

  expect(next.continuity).toEqual({ kind: 'continued' });
  expect(next.ids.slice(0, next.inherited)).toEqual(parent.tokens);
  // Templates may show what comes before an answer in another way than in the prompt that asked for it.
  const rendered = toText((await build(messages)).ids).split('one</code>');
  expect(toText(next.ids).split('one</code>').slice(1)).toEqual(rendered.slice(1));
});

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
