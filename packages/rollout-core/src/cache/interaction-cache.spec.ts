import { exactMatching } from '../conversation/matching-presets';
import type { Message } from '../conversation/message';
import { createInteractionCache } from './interaction-cache';
import { collectPathIds } from './path-tokens';
import { aChain, aDraft, assistant, system, tool, user } from './testing/session-builder';

const contextKey = 'tools';
const invalid = expect.objectContaining({ code: 'internal', reason: 'interaction_invalid' }) as Error;

describe('attach', () => {
  it('finds nothing in an empty session', () => {
    const messages = [user('Hello')];
    expect(createInteractionCache().attach({ messages, contextKey })).toEqual({
      parent: undefined,
      newMessages: messages,
      matchedMessages: 0,
      mismatch: undefined,
    });
  });

  it('finds the deepest call whose messages and output are a prefix', () => {
    const cache = createInteractionCache();
    const chain = aChain(cache, 3);
    const messages = [...(chain[1]?.messages ?? []), assistant('Answer 1'), user('Something else')];
    expect(cache.attach({ messages, contextKey })).toMatchObject({
      parent: { id: chain[1]?.id },
      newMessages: [user('Something else')],
      matchedMessages: 4,
      mismatch: undefined,
    });
  });

  it('continues an answer that ends the request', () => {
    const cache = createInteractionCache();
    const [first] = aChain(cache, 1);
    const found = cache.attach({ messages: [user('Question 0'), assistant('Answer 0')], contextKey });
    expect(found).toMatchObject({ parent: first, newMessages: [], matchedMessages: 2 });
  });

  it('does not match the messages of a parent without its answer', () => {
    const cache = createInteractionCache();
    aChain(cache, 1);
    expect(cache.attach({ messages: [user('Question 0')], contextKey }).parent).toBeUndefined();
    expect(cache.attach({ messages: [user('Question 0'), user('And?')], contextKey }).parent).toBeUndefined();
  });

  it('does not continue a call with other tools', () => {
    const cache = createInteractionCache();
    aChain(cache, 1);
    const messages = [user('Question 0'), assistant('Answer 0'), user('More')];
    const found = cache.attach({ messages, contextKey: 'other tools' });
    expect(found).toMatchObject({ parent: undefined, mismatch: { index: 0, role: 'user', part: 'context' } });
  });

  it('chooses the latest of equal calls', () => {
    const cache = createInteractionCache();
    cache.add(aDraft());
    const second = cache.add(aDraft());
    expect(cache.attach({ messages: [user('Hello'), assistant('Hi'), user('More')], contextKey }).parent).toBe(second);
  });

  it('chooses the one of equal calls whose call ids are returned', () => {
    const cache = createInteractionCache();
    const outputs = ['a', 'b'].map((id) => assistant('', { toolCalls: [{ id, name: 'f', arguments: '{}' }] }));
    const [first, second] = outputs.map((output) => cache.add(aDraft({ output })));
    const requireParent = (output: Message) =>
      cache.attach({ messages: [user('Hello'), output, tool('1', output.toolCalls?.[0]?.id ?? '')], contextKey })
        .parent;
    const [outputA, outputB] = outputs;
    expect(outputA && requireParent(outputA)).toBe(first);
    expect(outputB && requireParent(outputB)).toBe(second);
    expect(requireParent(assistant('', { toolCalls: [{ id: 'made-up', name: 'f', arguments: ' {}' }] }))).toBe(second);
  });

  it('distinguishes equal paths by the text, reasoning and calls of an earlier answer', () => {
    const cache = createInteractionCache();
    const branches = ['a', 'b'].map((id) => {
      const toolCalls = [{ id, name: 'look', arguments: '{}' }];
      const output = assistant('', { reasoning: `thought ${id}`, toolCalls });
      const first = cache.add(aDraft({ newMessages: [system("Today's date: 2026-11-21\nGo."), user('Q')], output }));
      const asked = [tool('same', id)];
      return {
        output,
        asked,
        last: cache.add(aDraft({ parent: first, newMessages: asked, output: assistant('same') })),
      };
    });
    for (const { output, asked, last } of branches) {
      for (const day of ['21', '22']) {
        for (const echoed of [output, { ...output, reasoning: '' }]) {
          const head = [system(`Today's date: 2026-11-${day}\nGo.`), user('Q')];
          const messages = [...head, echoed, ...asked, assistant('same'), user('Next')];
          expect(cache.attach({ messages, contextKey: 'tools' }).parent).toBe(last);
        }
      }
    }
  });

  it('chooses the one of equal calls whose reasoning is sent back, even under another header', () => {
    const cache = createInteractionCache();
    const head = (day: number) => [system(`Today's date: 2026-11-${day}\nGo.`), user('Q')];
    const [first] = ['one', 'two'].map((reasoning) =>
      cache.add(aDraft({ newMessages: head(21), output: assistant('same', { reasoning }) })),
    );
    const messages = [...head(22), assistant('same', { reasoning: 'one' }), user('Next')];
    expect(cache.attach({ messages, contextKey: 'tools' }).parent).toBe(first);
  });

  it('recognizes a conversation that a client has reformatted', () => {
    const cache = createInteractionCache();
    const output = assistant('', { reasoning: 'Hm', toolCalls: [{ id: 'a', name: 'f', arguments: '{"x":1,"y":2}' }] });
    const first = cache.add(aDraft({ output }));
    const second = cache.add(aDraft({ parent: first, newMessages: [tool('ok', 'a')], output: assistant('Done\n') }));
    const echo = assistant('', { toolCalls: [{ id: 'z', name: 'f', arguments: '{"y": 2, "x": 1}' }] });
    const messages = [user('Hello'), echo, tool('ok', 'z'), assistant('Done'), user('More')];
    expect(cache.attach({ messages, contextKey }).parent).toBe(second);
    expect(createInteractionCache({ matching: exactMatching }).attach({ messages, contextKey }).parent).toBeUndefined();
  });

  it('reports where a request that continues a known conversation differs, and never its content', () => {
    const cache = createInteractionCache();
    aChain(cache, 2);
    const start = [user('Question 0'), assistant('Answer 0'), user('Question 1')];
    const edited = cache.attach({ messages: [...start, assistant('Edited'), user('More')], contextKey });
    expect(edited).toMatchObject({ matchedMessages: 2, mismatch: { index: 3, role: 'assistant', part: 'content' } });
    const called = assistant('Answer 1', { toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] });
    cache.attach({ messages: [...start, called], contextKey });
    cache.attach({ messages: [user('Question 0 again'), assistant('Answer 0'), user('More')], contextKey });
    expect(cache.mismatches()).toEqual({
      total: 3,
      counts: { 'assistant.content': 1, 'assistant.tool_calls': 1, 'user.content': 1 },
      first: [
        { index: 3, role: 'assistant', part: 'content' },
        { index: 3, role: 'assistant', part: 'tool_calls' },
        { index: 0, role: 'user', part: 'content' },
      ],
    });
  });

  it('does not report retries, branches and other conversations as mismatches', () => {
    const cache = createInteractionCache();
    aChain(cache, 2);
    const requests = [
      [user('Question 0')],
      [user('Question 0'), assistant('Answer 0'), user('Another question')],
      [system('You are a helper.'), user('An example'), assistant('Like this'), user('Now you')],
      [user('A summary of what was before')],
    ];
    for (const messages of requests) cache.attach({ messages, contextKey });
    expect(cache.mismatches()).toEqual({ total: 0, counts: {}, first: [] });
  });

  it('keeps a limited report of many mismatches', () => {
    const cache = createInteractionCache();
    aChain(cache, 1);
    for (let request = 0; request < 100; request += 1) {
      cache.attach({ messages: [user('Question 0'), assistant(`Edited ${request}`)], contextKey });
    }
    const report = cache.mismatches();
    expect(report).toMatchObject({ total: 100, counts: { 'assistant.content': 100 } });
    expect(report.first).toHaveLength(16);
  });
});

describe('add', () => {
  it('stores only the tokens beyond the parent, and returns all of them', () => {
    const cache = createInteractionCache();
    const first = cache.add(aDraft({ context: [1, 2], answer: [3, 4] }));
    const second = cache.add(aDraft({ parent: first, newMessages: [user('More')], context: [5], answer: [6] }));
    expect(second.newMessages).toEqual([user('More')]);
    expect(second.messages).toEqual([user('Hello'), assistant('Hi'), user('More')]);
    expect(second).toMatchObject({ index: 1, pathPosition: 1, pathMessages: 4, pathTokens: 6, inheritedTokens: 4 });
    expect([...collectPathIds(second)]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('continues from the middle of a path, even from before the tokens of the parent itself', () => {
    const cache = createInteractionCache();
    const first = cache.add(aDraft({ context: [1, 2], answer: [3, 4] }));
    const second = cache.add(aDraft({ parent: first, context: [5], answer: [6] }));
    const third = cache.add(aDraft({ parent: second, inheritedTokens: 3, context: [7], answer: [8] }));
    expect([...collectPathIds(third)]).toEqual([1, 2, 3, 7, 8]);
  });

  it('starts a new row if nothing is inherited', () => {
    const cache = createInteractionCache();
    const first = cache.add(aDraft());
    const second = cache.add(aDraft({ parent: first, inheritedTokens: 0, context: [4, 5], answer: [6] }));
    expect(second).toMatchObject({ pathPosition: 0, pathTokens: 3, pathMessages: 4 });
    expect([...collectPathIds(second)]).toEqual([4, 5, 6]);
  });

  it('keeps the order of completion, the last one, and the size', () => {
    const cache = createInteractionCache();
    const chain = aChain(cache, 3);
    expect([...cache]).toEqual(chain);
    expect(cache.last).toBe(chain[2]);
    expect(cache.size).toBe(3);
    expect(cache.get(chain[1]?.id ?? '')).toBe(chain[1]);
    expect(cache.get('unknown')).toBeUndefined();
  });

  it('counts the bytes of stored tokens, not of inherited ones', () => {
    const cache = createInteractionCache();
    const first = cache.add(aDraft({ context: Array.from({ length: 10_000 }, () => 1) }));
    const afterFirst = cache.byteSize;
    cache.add(aDraft({ parent: first, newMessages: [user('x'.repeat(500))] }));
    expect(afterFirst).toBeGreaterThan(40_000);
    expect(cache.byteSize - afterFirst).toBeGreaterThan(1000);
    expect(cache.byteSize - afterFirst).toBeLessThan(10_000);
  });

  it('does not retain the memory of the array behind a view', () => {
    const whole = new Int32Array(10_000);
    const added = createInteractionCache().add(aDraft({ contextIds: whole.subarray(0, 3) }));
    expect(added.contextIds.buffer.byteLength).toBe(12);
  });

  it('accepts the sent prompt if it equals the stored one, and refuses any other', () => {
    const cache = createInteractionCache();
    const first = cache.add(aDraft({ context: [1, 2], answer: [3] }), Int32Array.of(1, 2));
    const draft = aDraft({ parent: first, context: [4] });
    for (const prompt of [
      [1, 2, 3],
      [1, 2, 5, 4],
      [1, 2, 3, 4, 5],
    ]) {
      expect(() => cache.add(draft, Int32Array.from(prompt))).toThrow(invalid);
    }
    expect(cache.size).toBe(1);
    const second = cache.add(draft, Int32Array.of(1, 2, 3, 4));
    expect(second.pathTokens).toBe(5);
  });

  it('refuses a known id', () => {
    const cache = createInteractionCache();
    const { id } = cache.add(aDraft());
    const exists = expect.objectContaining({ code: 'conflict', reason: 'interaction_exists' }) as Error;
    expect(() => cache.add(aDraft({ id }))).toThrow(exists);
  });

  it.each([
    ['more inherited tokens than there are', { inheritedTokens: 1 }],
    ['half a token', { inheritedTokens: 0.5 }],
    ['no prompt', { context: [] }],
    ['a negative id', { answer: [-1] }],
    ['a negative id of the prompt', { context: [-1] }],
    [
      'a missing log-probability',
      { sampled: { ids: Int32Array.of(1), logprobs: new Float32Array(0), versions: Int32Array.of(1) } },
    ],
    [
      'a NaN',
      { sampled: { ids: Int32Array.of(1), logprobs: Float32Array.of(Number.NaN), versions: Int32Array.of(1) } },
    ],
    [
      'too few of the likeliest tokens',
      { sampled: { ...aDraft().sampled, top: { count: 2, ids: Int32Array.of(1), logprobs: Float32Array.of(-1) } } },
    ],
    [
      'a likeliest token below -1',
      { sampled: { ...aDraft().sampled, top: { count: 1, ids: Int32Array.of(-2), logprobs: Float32Array.of(-1) } } },
    ],
    [
      'experts of more tokens than there are',
      { routedExperts: { from: 3, layers: 1, perToken: 1, ids: Int16Array.of(1) } },
    ],
    ['log-probabilities of fewer context tokens', { contextLogprobs: Float32Array.of(-1) }],
    [
      'sampling masks with fewer ids than they say',
      { sampled: { ...aDraft().sampled, mask: { lengths: Int32Array.of(2), ids: Int32Array.of(1) } } },
    ],
    ['half a row of experts', { routedExperts: { from: 0, layers: 2, perToken: 1, ids: Int16Array.of(1) } }],
    ['a parent of another session', { parent: createInteractionCache().add(aDraft()) }],
  ])('refuses %s', (_case, choices) => {
    const cache = createInteractionCache();
    expect(() => cache.add(aDraft(choices))).toThrow(invalid);
    expect(cache.size).toBe(0);
  });
});

describe('cost of attach and add', () => {
  /** Look-ups in maps and digests made for one more turn of a conversation of three turns. */
  function costBeside(others: (cache: ReturnType<typeof createInteractionCache>) => void): number {
    const cache = createInteractionCache();
    others(cache);
    const chain = aChain(cache, 3);
    const messages = [...(chain[2]?.messages ?? []), assistant('Answer 2'), user('More')];
    const spies = [
      jest.spyOn(Map.prototype, 'get'),
      jest.spyOn(Map.prototype, 'has'),
      jest.spyOn(Map.prototype, 'set'),
    ];
    const { parent, newMessages } = cache.attach({ messages, contextKey });
    cache.add(aDraft({ parent, newMessages }));
    const cost = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    jest.restoreAllMocks();
    expect(parent).toBe(chain[2]);
    return cost;
  }

  const identical = (count: number) => (cache: ReturnType<typeof createInteractionCache>) => {
    for (let call = 0; call < count; call += 1) cache.add(aDraft({ newMessages: [user('Question 0')] }));
  };

  it('is the same with 300 and 3,000 other calls', () => {
    expect(costBeside((cache) => void aChain(cache, 3000))).toBe(costBeside((cache) => void aChain(cache, 300)));
  });

  it('is the same with 300 and 3,000 identical prompts', () => {
    expect(costBeside(identical(3000))).toBe(costBeside(identical(300)));
  });
});
