import { createEmbeddedEngine } from './embedded-engine';
import { collect } from '../testing/generations';
import { aGeneration, forever, startEmbeddedFixture, type EmbeddedFixture } from './testing/embedded-fixture';

const sequences = 32;
const rounds = 30;
let fixture: EmbeddedFixture;
let prompts: readonly Int32Array[];

beforeAll(async () => {
  fixture = await startEmbeddedFixture();
  // The lengths differ, so that a batch holds beginnings of prompts beside ends of others.
  const texts = Array.from({ length: 200 }, (_, index) => `${index} ${'word '.repeat((index * 7) % 13)}`);
  prompts = await Promise.all(texts.map((text) => fixture.tokenizer.encode(text, { control: true })));
}, 60_000);

afterAll(() => fixture.stop());

/** The possible first tokens after each prompt, evaluated by a process with one sequence. */
async function evaluateAlone(): Promise<readonly ReadonlyMap<number, number>[]> {
  const host = fixture.hostWith({ sequences: 1 });
  try {
    const engine = createEmbeddedEngine({ host });
    const topLogprobs = (await host.info(forever())).vocabularySize;
    const answers = prompts.map((prompt, index) => {
      const generation = aGeneration(prompt, { sessionId: `alone-${index}`, maxNewTokens: 1, topLogprobs });
      return collect(engine.generate(generation, forever()));
    });
    return (await Promise.all(answers)).map(({ top }) => new Map(top[0]?.map(({ id, logprob }) => [id, logprob])));
  } finally {
    await host.stop();
  }
}

describe('a batch of 32 sequences', () => {
  it('records each token with the log-probability that it has in its own sequence', async () => {
    const expected = await evaluateAlone();
    const host = fixture.hostWith({ sequences });
    const engine = createEmbeddedEngine({ host });
    const foreign: string[] = [];
    try {
      for (let round = 0; round < rounds; round++) {
        const answers = prompts.map((prompt, index) => {
          const changes = { sessionId: `session-${index}`, sampling: { seed: round }, maxNewTokens: 1 };
          return collect(engine.generate(aGeneration(prompt, changes), forever()));
        });
        for (const [index, { ids, logprobs }] of (await Promise.all(answers)).entries()) {
          const [id = -1, logprob = Number.NaN] = [ids[0], logprobs[0]];
          const own = expected[index]?.get(id) ?? Number.NaN;
          if (!(Math.abs(logprob - own) < 1e-4)) foreign.push(`prompt ${index}, token ${id}: ${logprob}, not ${own}`);
        }
      }
    } finally {
      await host.stop();
    }

    expect(foreign).toEqual([]);
  }, 120_000);
});
