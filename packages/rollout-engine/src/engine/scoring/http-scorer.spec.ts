import { promptLogprob, startFakeEngine, type FakeEngine, type FakeEngineOptions } from '@weir/fake-engine';
import { createHttpScorer, type HttpScorerOptions } from './http-scorer';
import { scoringKinds } from './scoring-dialects';
import type { ScoreRequest, TokenScorer } from '../port/token-scorer';

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];
const never = new AbortController().signal;

describe.each(scoringKinds)('a scorer before %s', (kind) => {
  let fake: FakeEngine;
  let scorer: TokenScorer;
  const open = async (options: Partial<FakeEngineOptions> = {}, more: Partial<HttpScorerOptions> = {}) => {
    fake = await startFakeEngine({ dialect: kind, encode: bytes, model: 'teacher', ...options });
    const encode = (text: string) => Promise.resolve(Int32Array.from(bytes(text)));
    scorer = createHttpScorer({ kind, url: fake.url, encode, ...more });
  };
  afterEach(async () => {
    await scorer.stop();
    await fake.stop();
  });
  const request = (changes: Partial<ScoreRequest> = {}): ScoreRequest => ({
    requestId: 'score-1',
    ids: Int32Array.of(11, 12, 13, 14),
    from: 2,
    topLogprobs: 0,
    ...changes,
  });

  it('gives the log-probabilities of the tokens that were asked for', async () => {
    await open();
    expect(await scorer.score(request(), never)).toEqual({
      logprobs: Float32Array.of(promptLogprob(13, 2), promptLogprob(14, 3)),
    });
    expect(await scorer.info(never)).toMatchObject({ engine: kind, model: 'teacher' });
    expect(fake.calls.at(-1)?.request.promptIds).toEqual([11, 12, 13, 14]);
  });

  it('gives the likeliest tokens of each position, likeliest first', async () => {
    await open();
    const { top } = await scorer.score(request({ topLogprobs: 2 }), never);
    const [third, fourth] = [promptLogprob(13, 2), promptLogprob(14, 3)];
    expect(top).toEqual({
      count: 2,
      ids: Int32Array.of(14, 13, 15, 14),
      logprobs: Float32Array.of(third / 2, third, fourth / 2, fourth),
    });
  });

  it.each([
    ['scores_missing', 'missing'],
    ['scores_missing', 'short'],
    ['scores_differ', 'other'],
  ] as const)('fails with %s where scores are %s', async (reason, scores) => {
    await open({ script: () => ({ ids: [], faults: { scores } }) });
    await expect(scorer.score(request(), never)).rejects.toMatchObject({ code: 'upstream_failed', reason });
  });

  it('has empty entries where the engine has fewer of the likeliest tokens', async () => {
    await open();
    const { top } = await scorer.score(request({ from: 3, topLogprobs: 4 }), never);
    expect([...(top?.ids ?? [])]).toEqual([15, 14, 16, -1]);
  });

  it('refuses an engine whose tokenizer gives other ids', async () => {
    await open({ encode: (text) => [1, ...bytes(text)] });
    await expect(scorer.score(request(), never)).rejects.toMatchObject({ reason: 'tokenizers_differ' });
    expect(fake.calls).toHaveLength(0);
  });

  it('refuses more tokens than the engine takes', async () => {
    await open({ contextLength: 4 });
    await expect(scorer.score(request(), never)).rejects.toMatchObject({ reason: 'prompt_too_long' });
  });

  it('stops when it is cancelled, and when the answer is late', async () => {
    await open({ script: () => ({ ids: [1], faults: { isHeld: true } }) }, { limits: { totalTimeoutMs: 200 } });
    await expect(scorer.score(request(), never)).rejects.toMatchObject({ reason: 'scoring_too_long' });
    const cancelled = new AbortController();
    const running = scorer.score(request(), cancelled.signal);
    cancelled.abort(new Error('no longer wanted'));
    await expect(running).rejects.toThrow('no longer wanted');
  });
});
