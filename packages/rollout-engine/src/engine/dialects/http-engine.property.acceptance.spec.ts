import fc from 'fast-check';
import { startFakeEngine, type FakeAnswer, type FakeEngine, type FakeEngineDialect } from '@weir/fake-engine';
import { isAppError } from '@weir/foundation';
import { faultsOfEngine } from '../testing/engine-faults';
import { createGenerationControl, type GenerationControl } from '../control/generation-control';
import { createHttpEngine } from './http-engine';
import { aRequest, collect, neverAborted, type Collected } from '../testing/generations';

const maxNewTokens = 24;

const answer: fc.Arbitrary<FakeAnswer> = fc
  .record({
    ids: fc.array(fc.nat(200_000), { minLength: 1, maxLength: maxNewTokens + 4 }),
    tokensPerPiece: fc.constantFrom(1, 3, 'seeded' as const),
    byteByByte: fc.boolean(),
    isCumulative: fc.boolean(),
    versionChangeAfter: fc.nat(20),
    isAborted: fc.boolean(),
    faults: faultsOfEngine(3),
  })
  .map(({ isAborted, byteByByte, ...rest }) => ({
    ...rest,
    // A drip without an end never finishes.
    byteByByte: byteByByte && rest.faults.isEndless !== true,
    ...(isAborted ? { finishReason: 'abort' as const } : {}),
  }));

describe('for any behaviour of the engine', () => {
  let fake: FakeEngine;
  let control: GenerationControl;
  afterEach(async () => {
    await control.stop();
    await fake.stop();
  });

  it.each<FakeEngineDialect>(['sglang', 'vllm', 'vllm-generate', 'llama-cpp'])(
    '%s: tokens are those sampled, bit for bit, or doubted, or the generation rejects',
    async (dialect) => {
      fake = await startFakeEngine({ dialect, weightVersion: '3' });
      // Endless answers that come whole end here.
      const limits = { maxBytes: 100_000, answerTimeoutMs: 30_000, totalTimeoutMs: 30_000 };
      const engine = createHttpEngine({ dialect, url: fake.url, limits });
      control = createGenerationControl(engine, { maxSegments: 2, retryDelayMs: 0, initialVersion: 3 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(answer, { minLength: 1, maxLength: 2 }),
          fc.boolean(),
          async (answers, isStreaming) => {
            const before = fake.calls.length;
            fake.setScript(({ callNumber }) => answers[callNumber - before] ?? { ids: [1] });
            const request = aRequest({ maxNewTokens, isStreaming });
            const got = await collect(control.generate(request, neverAborted)).catch((error: unknown) => error);
            if (isRejection(got)) return;
            expectSame(got as Collected, fake.calls.slice(before), dialect);
          },
        ),
        { numRuns: 60 },
      );
    },
    60_000,
  );
});

function isRejection(value: unknown): boolean {
  if (value instanceof Error) expect(isAppError(value)).toBe(true);
  return value instanceof Error;
}

function expectSame(got: Collected, calls: FakeEngine['calls'], dialect: FakeEngineDialect): void {
  const length = got.ids.length;
  expect([got.logprobs.length, got.versions.length]).toEqual([length, length]);
  expect(got.logprobs.every((value) => Number.isFinite(value) && value <= 0)).toBe(true);
  expect(length).toBeLessThanOrEqual(maxNewTokens);
  if (got.end.doubt !== undefined) return;
  expect(got.ids).toEqual(calls.flatMap(({ ids }) => [...ids]));
  expect(got.logprobs).toEqual(calls.flatMap(({ logprobs }) => [...logprobs]));
  const versions = calls.flatMap((call) => [...call.versions]);
  expect(got.versions).toEqual(dialect === 'llama-cpp' ? versions.map(() => 3) : versions);
}
