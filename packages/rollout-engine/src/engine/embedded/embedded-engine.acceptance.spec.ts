import { Tokenizer as NativeTokenizer } from 'tokenizers';
import { createEmbeddedEngine } from './embedded-engine';
import { collect } from '../testing/generations';
import { aGeneration, forever, startEmbeddedFixture, type EmbeddedFixture } from './testing/embedded-fixture';
import { referenceLogprobs } from './testing/reference-forward';

const chat = (text: string): string => `<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`;
let fixture: EmbeddedFixture;
let prompt: Int32Array;

beforeAll(async () => {
  fixture = await startEmbeddedFixture();
  prompt = await fixture.tokenizer.encode(chat('What is the weather in Paris?'), { control: true });
}, 60_000);

afterAll(() => fixture.stop());

const generate = (...changes: Parameters<typeof aGeneration>) =>
  collect(fixture.engine.generate(aGeneration(...changes), forever()));

/** The largest distance between recorded log-probabilities and those computed another way. */
const distance = (left: readonly number[], right: ArrayLike<number>): number =>
  Math.max(...left.map((value, index) => Math.abs(value - (right[index] ?? Number.NaN))));

const rescored = async (promptIds: Int32Array, answer: readonly number[], temperature: number): Promise<number[]> => {
  const ids = Int32Array.from([...promptIds, ...answer]);
  return Array.from(await fixture.engine.rescore({ ids, temperature }, forever())).slice(promptIds.length - 1);
};

describe('probe', () => {
  it('reports what the engine can prove', async () => {
    expect(await fixture.engine.probe(forever())).toMatchObject({
      engine: 'embedded',
      model: 'weir-tiny-1',
      contextLength: 32_768,
      versions: 'none',
      grammar: true,
      canAbort: true,
      mode: 'exact',
    });
  });
});

describe('the tokenizer of prompts', () => {
  const probeWith = (encode: (text: string) => Promise<Int32Array>) =>
    createEmbeddedEngine({ host: fixture.host, encode }).probe(forever());

  it('is equal when Hugging Face reads the file next to the model', async () => {
    const native = NativeTokenizer.fromFile(fixture.model.tokenizerFile);
    const encode = async (text: string): Promise<Int32Array> =>
      Int32Array.from((await native.encode(text, null, { addSpecialTokens: false })).getIds());

    expect(await probeWith(encode)).toMatchObject({ tokenizerParity: 'equal', mode: 'exact' });
  });

  it('stops training when it returns different ids', async () => {
    const letters = (text: string): Promise<Int32Array> => Promise.resolve(Int32Array.from(Buffer.from(text)));

    expect(await probeWith(letters)).toMatchObject({ tokenizerParity: 'different', mode: 'capture-only' });
  });
});

describe('log-probabilities', () => {
  it.each([0.7, 1, 1.5])('are those of teacher forcing at temperature %d', async (temperature) => {
    const { ids, logprobs } = await generate(prompt, { maxNewTokens: 200, sampling: { temperature, seed: 3 } });

    expect(ids).toHaveLength(200);
    expect(distance(logprobs, await rescored(prompt, ids, temperature))).toBeLessThan(1e-4);
  });

  it('are those of a forward pass in 64-bit numbers', async () => {
    const { ids, logprobs } = await generate(prompt, { maxNewTokens: 40, sampling: { temperature: 0.8, seed: 4 } });
    const reference = await referenceLogprobs(fixture.model.modelFile, [...prompt, ...ids], 0.8);

    expect(distance(logprobs, reference.slice(prompt.length - 1))).toBeLessThan(1e-4);
  });

  it('are of the whole distribution, independent of cut-offs, penalties and biases', async () => {
    const sampling = { topP: 0.5, topK: 20, minP: 0.02, frequencyPenalty: 0.5, presencePenalty: 0.3, seed: 5 };
    const logitBias = new Map([[65, 5]]);
    const { ids, logprobs } = await generate(prompt, { maxNewTokens: 60, sampling: { ...sampling, logitBias } });

    expect(distance(logprobs, await rescored(prompt, ids, 1))).toBeLessThan(1e-4);
  });

  it('of greedy answers are those of temperature 1', async () => {
    const { ids, logprobs, top } = await generate(prompt, { sampling: { temperature: 0 }, topLogprobs: 3 });

    expect(distance(logprobs, await rescored(prompt, ids, 1))).toBeLessThan(1e-4);
    expect(top.map(([first]) => first?.id)).toEqual(ids);
  });

  it('include those of the likeliest tokens on request, in descending order', async () => {
    const { top, ids } = await generate(prompt, { topLogprobs: 5 });

    expect(top).toHaveLength(ids.length);
    for (const choices of top) {
      expect(choices).toHaveLength(5);
      expect(choices.map(({ logprob }) => logprob).toSorted((a, b) => b - a)).toEqual(choices.map((c) => c.logprob));
    }
  });
});

describe('an answer', () => {
  it('depends on the seed', async () => {
    const answers = await Promise.all([11, 12].map((seed) => generate(prompt, { sampling: { seed } })));

    expect(answers[1]?.ids).not.toEqual(answers[0]?.ids);
  });

  it('has a chunk for each token when it is streamed, and one chunk otherwise', async () => {
    const streamed = await generate(prompt, { isStreaming: true });
    const whole = await generate(prompt);

    expect(streamed.pieces).toBe(20);
    expect(whole.pieces).toBe(1);
    expect((await generate(prompt, { stop: ['never said'] })).pieces).toBe(20);
    expect(whole.versions).toEqual(new Array(20).fill(0));
  });

  it('ends with the stop token, which is part of it', async () => {
    // The token is so likely that every machine samples it, despite differences in arithmetic.
    const certain = { sampling: { logitBias: new Map([[65, 100]]) } };
    const whole = await generate(prompt, certain);
    const stopped = await generate(prompt, { ...certain, stopTokenIds: [65] });

    expect(whole).toMatchObject({ ids: new Array(20).fill(65), end: { reason: 'length' } });
    expect(stopped).toMatchObject({ ids: [65], end: { reason: 'stop' } });
  });

  it.each([
    ['by the library', {}],
    ['by our own sampler', { minP: 1e-9 }],
  ])(
    'has tokens as often as their probabilities predict, drawn %s',
    async (_name, rule) => {
      const seeds = Array.from({ length: 2_000 }, (_, seed) => seed);
      const first = await generate(prompt, { maxNewTokens: 1, topLogprobs: 8 });
      const drawn: (number | undefined)[] = [];
      while (drawn.length < seeds.length) {
        const some = seeds.slice(drawn.length, drawn.length + 500);
        const answers = await Promise.all(
          some.map((seed) => generate(prompt, { maxNewTokens: 1, sampling: { ...rule, seed } })),
        );
        drawn.push(...answers.map(({ ids }) => ids[0]));
      }

      for (const { id, logprob } of first.top[0] ?? []) {
        const expected = Math.exp(logprob) * seeds.length;
        const count = drawn.filter((token) => token === id).length;
        expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected) + 1);
      }
    },
    30_000,
  );

  it('never exceeds the context', async () => {
    const host = fixture.hostWith({ contextLength: 256 });
    try {
      const engine = createEmbeddedEngine({ host });
      const answer = await collect(engine.generate(aGeneration(prompt, { maxNewTokens: 1_000 }), forever()));

      expect(answer.end.reason).toBe('length');
      expect(prompt.length + answer.ids.length).toBe(256);
    } finally {
      await host.stop();
    }
  });
});

describe('the cache', () => {
  it('keeps the common prefix of the next prompt of a session and the last one', async () => {
    const first = await generate(prompt, { sessionId: 'next', maxNewTokens: 30 });
    const next = Int32Array.from([...prompt, ...first.ids, ...prompt]);
    const second = await generate(next, { sessionId: 'next' });

    expect(second.end.cachedTokens).toBe(prompt.length + 29);
    expect(distance(second.logprobs, await rescored(next, second.ids, 1))).toBeLessThan(1e-4);
  });

  it('is rewound when the conversation branches', async () => {
    const trunk = await generate(prompt, { sessionId: 'branch', maxNewTokens: 30 });
    const branch = Int32Array.from([...prompt, ...trunk.ids.slice(0, 20), ...prompt]);
    const answer = await generate(branch, { sessionId: 'branch' });

    expect(answer.end.cachedTokens).toBeGreaterThanOrEqual(prompt.length + 20);
    expect(distance(answer.logprobs, await rescored(branch, answer.ids, 1))).toBeLessThan(1e-4);
  });

  it('belongs to one session: the tokens of 24 concurrent sessions score the same without the others', async () => {
    const sessions = Array.from({ length: 24 }, (_, index) => `session-${index}`);
    const prompts = await Promise.all(
      sessions.map((name) => fixture.tokenizer.encode(chat(`I am ${name}.`), { control: true })),
    );
    const at = (index: number): Int32Array => prompts[index] ?? prompt;
    const together = await Promise.all(sessions.map((sessionId, index) => generate(at(index), { sessionId })));

    for (const [index, { ids, logprobs }] of together.entries()) {
      expect(distance(logprobs, await rescored(at(index), ids, 1))).toBeLessThan(1e-4);
    }
    const foreign = await rescored(at(1), together[0]?.ids ?? [], 1);
    expect(distance(together[0]?.logprobs ?? [], foreign)).toBeGreaterThan(1e-2);
  }, 60_000);
});

describe('one sequence', () => {
  /** The answers of a new process to calls that all come at once, as bits. */
  const play = async (isStreaming: boolean) => {
    const host = fixture.hostWith({ sequences: 1 });
    const engine = createEmbeddedEngine({ host });
    try {
      const answers = Array.from({ length: 12 }, (_, index) => {
        const changes = { sessionId: `session-${index % 4}`, sampling: { seed: index % 3 }, maxNewTokens: 10 + index };
        return collect(engine.generate(aGeneration(prompt, { ...changes, isStreaming }), forever()));
      });
      return (await Promise.all(answers)).map(({ ids, logprobs, end }) => ({ ids, logprobs, end }));
    } finally {
      await host.stop();
    }
  };

  it('returns the same answers, bit for bit, to the same calls in the same order', async () => {
    // Streamed or not makes no difference to what is evaluated.
    const first = await play(false);

    expect(await play(true)).toEqual(first);
  }, 60_000);
});
