import type { Message } from '@weir/rollout-core';
import { createPromptBuilder } from '../prompt/create-prompt-builder';
import { aSession, aCompletion, forever, play } from './testing/completion-fixture';
import { useCompletionFixture } from './testing/use-completion-fixture';

const stop = ['</code>'];
const question: Message = { role: 'user', content: 'hello' };

describe('an answer that a stop string ended', () => {
  const fixture = useCompletionFixture();

  /** Behaves like engines that match the stop string themselves, whose last token is that of the stop string. */
  const says = async (text: string) => {
    const ids = [...(await fixture.tokenizer.encode(text, { control: false }))];
    fixture.fake.setScript(() => ({ ids, finishReason: 'stop' }));
  };
  const toText = (ids: Iterable<number>) => {
    const decoder = fixture.tokenizer.createDecoder({ showsControl: () => true });
    return decoder.push(Int32Array.from(ids)) + decoder.end();
  };
  /** Renders and encodes the whole conversation. */
  const rendered = async (messages: readonly Message[]) => {
    const prompts = createPromptBuilder({ tokenizer: fixture.tokenizer });
    const { ids } = await prompts.build({ messages, newMessages: messages, tools: [], templateArguments: {} });
    await prompts.stop();
    return toText(ids);
  };

  async function playTurns(session: ReturnType<typeof aSession>, comesBack: (text: string) => string) {
    const messages: Message[] = [question];
    const prompts: (readonly number[])[] = [];
    for (const said of ['one</code>', 'two</code>', 'three</code>']) {
      await says(said);
      const request = aCompletion({ messages: [...messages], stop });
      const { output } = await play(fixture.runCompletion(session, request, forever()));
      const prompt = fixture.fake.calls.at(-1)?.request.promptIds ?? [];
      prompts.push([...prompt]);
      expect(toText(prompt)).toBe(await rendered(messages));
      // No text of a client becomes a control token.
      expect(prompt.filter((id) => id === fixture.endId())).toHaveLength(messages.length);
      messages.push({ role: 'assistant', content: comesBack(output.content) }, { role: 'user', content: 'Seen.' });
    }
    return prompts;
  }

  it.each([
    ['with the stop string and more', (text: string) => `${text}</code>\nCalling tools:\n[<|im_end|>]`],
    ['with the stop string', (text: string) => `${text}</code>`],
  ])('is continued from its tokens if it is sent back %s', async (_how, comesBack) => {
    await fixture.start('sglang');
    const session = aSession();
    const prompts = await playTurns(session, comesBack);

    const interactions = [...session.cache];
    expect(interactions.map(({ continuity }) => continuity.kind)).toEqual(['root', 'continued', 'continued']);
    expect(interactions.map(({ pathPosition }) => pathPosition)).toEqual([0, 1, 2]);
    for (const [at, { sampled }] of interactions.slice(0, -1).entries()) {
      const path = [...(prompts[at] ?? []), ...sampled.ids];
      expect(prompts[at + 1]?.slice(0, path.length)).toEqual(path);
    }
    expect(session.cache.mismatches().counts).toEqual({});
  });

  it.each([
    ['with another text', (text: string) => `${text.slice(1)}</code> and more`],
    ['without the stop string, and with more', (text: string) => `${text} and more`],
  ])('begins a new path if it is sent back %s', async (_how, comesBack) => {
    await fixture.start('sglang');
    const session = aSession();
    await playTurns(session, comesBack);

    expect([...session.cache].map(({ parent }) => parent)).toEqual([undefined, undefined, undefined]);
  });

  it('is not continued by an answer of the client that only follows it', async () => {
    await fixture.start('sglang');
    const session = aSession();
    await says('one</code>');
    await play(fixture.runCompletion(session, aCompletion({ messages: [question], stop }), forever()));
    const messages: Message[] = [
      question,
      { role: 'assistant', content: 'one' },
      { role: 'assistant', content: '</code> and more' },
      { role: 'user', content: 'Seen.' },
    ];
    await play(fixture.runCompletion(session, aCompletion({ messages, stop }), forever()));

    const { continuity, newMessages } = session.cache.last ?? {};
    expect(continuity).toEqual({ kind: 'continued' });
    expect(newMessages).toEqual(messages.slice(2));
  });
});
