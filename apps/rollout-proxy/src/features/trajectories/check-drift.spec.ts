import { createInteractionCache, type Interaction, type Message, type PromptContext } from '@weir/rollout-core';
import { createHuggingFaceTokenizer, createPromptBuilder } from '@weir/rollout-engine';
import { tinyTokenizer } from '@weir/rollout-engine/testing';
import { createDriftCheck } from './check-drift';

const tokenizer = createHuggingFaceTokenizer(tinyTokenizer('chatml'));
const prompts = createPromptBuilder({ tokenizer, addedTokens: tokenizer.addedTokens });
const weather: PromptContext = { tools: [{ name: 'weather' }], templateArguments: {} };
const user = (content: string): Message => ({ role: 'user', content });
const signal = new AbortController().signal;
const none = { template: 0, retokenised: 0, other: 0, paths: 0, differing: 0, skipped: 0 };

/** Letters one by one, as a model may sample them and a tokenizer never would. */
const letters = (text: string) => Array.from(text, (letter) => tokenizer.findId(letter) ?? -1);

function aSession(context: PromptContext = weather) {
  const cache = createInteractionCache();
  let calls = 0;
  const completion = async (question: string, sampled: readonly number[], said: string, parent?: Interaction) => {
    const newMessages = [user(question)];
    const messages = parent === undefined ? newMessages : [...parent.messages, parent.output, ...newMessages];
    const after = parent && { tokens: tokensUpTo(parent), finishReason: 'stop' as const, hasReasoning: false };
    const prompt = await prompts.build({
      messages,
      newMessages,
      ...weather,
      ...(parent && after ? { parent: { ...after, output: parent.output } } : {}),
    });
    cache.addContext('weather', context);
    const ids = Int32Array.from([...sampled, tokenizer.findId('<|im_end|>') ?? -1]);
    calls += 1;
    const interaction = cache.add(
      {
        id: `call-${calls}`,
        parent,
        newMessages,
        output: { role: 'assistant', content: said },
        contextKey: 'weather',
        contextIds: prompt.ids.slice(prompt.inherited),
        inheritedTokens: prompt.inherited,
        sampled: { ids, logprobs: new Float32Array(ids.length), versions: new Int32Array(ids.length) },
        finishReason: 'stop',
        protocol: 'responses',
        model: 'm',
        createdAt: new Date(0),
        completedAt: new Date(0),
        usage: { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 },
        continuity: prompt.continuity,
      },
      prompt.ids,
    );
    paths.set(interaction, Int32Array.from([...prompt.ids, ...ids]));
    return interaction;
  };
  const paths = new Map<Interaction, Int32Array>();
  const tokensUpTo = (interaction: Interaction) => paths.get(interaction) ?? new Int32Array(0);
  return { cache, completion };
}

describe('createDriftCheck', () => {
  const check = createDriftCheck({ prompts, tokenizer });
  const hello = tokenizer.findId('hello') ?? -1;

  it('finds nothing if the template renders the sampled tokens, including tools', async () => {
    const { cache, completion } = aSession();
    await completion('more', [hello], 'hello', await completion('hello', [hello], 'hello'));
    expect(await check(cache, signal)).toEqual({ ...none, paths: 1 });
  });

  it('distinguishes different ids of the same text from different text', async () => {
    const { cache, completion } = aSession();
    await completion('more', [hello], 'other', await completion('hello', letters('hello'), 'hello'));
    expect(await check(cache, signal)).toEqual({ ...none, retokenised: 1, other: 1, paths: 1, differing: 1 });
  });

  it('reports a context that differs from the one that was sent', async () => {
    const { cache, completion } = aSession({ ...weather, tools: [{ name: 'clock' }] });
    await completion('hello', [hello], 'hello');
    expect(await check(cache, signal)).toMatchObject({ template: 1, differing: 1 });
  });

  it('checks every branch, and skips calls beyond its limits or that cannot be rendered', async () => {
    const { cache, completion } = aSession();
    const first = await completion('hello', [hello], 'hello');
    for (const question of ['a', 'b', 'c']) await completion(question, [hello], 'hello', first);
    expect(await check(cache, signal)).toEqual({ ...none, paths: 3 });
    const bounds = [{ maxPaths: 2 }, { maxTokens: first.pathTokens * 3 }];
    for (const bound of bounds) {
      const found = await createDriftCheck({ prompts, tokenizer, ...bound })(cache, signal);
      expect([found.paths + found.skipped, found.paths < 3]).toEqual([3, true]);
    }
    const unknown = createInteractionCache();
    for (const one of cache) if (one.parent === undefined) unknown.add(one);
    expect(await check(unknown, signal)).toEqual({ ...none, skipped: 1 });
  });

  it('ends with its signal', async () => {
    const { cache, completion } = aSession();
    await completion('hello', [hello], 'hello');
    await expect(check(cache, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  });
});
