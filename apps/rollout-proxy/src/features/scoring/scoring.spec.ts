import { EventEmitter, once } from 'node:events';
import type { TokenScorer } from '@weir/rollout-engine';
import { readTrainingBatch } from '@weir/rollout-core';
import { temporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

type Score = TokenScorer['score'];

describe('a session that other models score', () => {
  const folder = temporaryFolder();
  let proxy: TestProxy;
  /** The sequences that were scored, with the first token that was asked for. */
  let scored: { readonly ids: readonly number[]; readonly from: number }[];
  let score: Score;
  const scorer: TokenScorer = {
    info: () => Promise.resolve({ engine: 'vllm', model: 'large' }),
    score: (...given) => score(...given),
    stop: () => Promise.resolve(),
  };
  const byPosition: Score = ({ ids, from, topLogprobs: count }) => {
    scored.push({ ids: [...ids], from });
    const positions = Array.from({ length: ids.length - from }, (_value, at) => from + at);
    const entries = positions.flatMap((position) => Array.from({ length: count }, () => position));
    const top = { count, ids: Int32Array.from(entries), logprobs: Float32Array.from(entries, (at) => -at / 8) };
    return Promise.resolve({
      logprobs: Float32Array.from(positions, (position) => -position),
      ...(count === 0 ? {} : { top }),
    });
  };
  const start = () =>
    startTestProxy({
      dataFolder: folder.path,
      serving: () => ({
        scorers: new Map([
          ['teacher', scorer],
          ['reference', scorer],
        ]),
      }),
    });

  beforeEach(async () => {
    scored = [];
    score = byPosition;
    proxy = await start();
  });
  afterEach(() => proxy.stop());
  afterAll(() => folder.remove());

  /** Two calls of one conversation and one of another, in a session that has ended. */
  async function endedSession(): Promise<string> {
    const { id, key } = await proxy.start();
    const ask = (messages: readonly object[]) =>
      proxy.call('/chat/completions', { key, body: { ...say('x'), messages } });
    const first = await ask([{ role: 'user', content: 'hello' }]);
    const [choice] = first.body.choices as { message: object }[];
    await ask([{ role: 'user', content: 'hello' }, choice?.message ?? {}, { role: 'user', content: 'on' }]);
    await ask([{ role: 'user', content: 'another' }]);
    await proxy.call('/rl/end_session', { key });
    return id;
  }

  const scoreSession = (id: string, more: object = {}) =>
    proxy.call('/rl/score_session', { body: { session_id: id, scorer: 'teacher', ...more } });

  async function exportRows(id: string, more: object) {
    const response = await fetch(`${proxy.url}/export_trajectories`, {
      method: 'POST',
      headers: { 'x-api-key': 'an-admin-key-for-specs', 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: id, format: 'safetensors', style: 'concat', ...more }),
    });
    if (!response.ok) return (await response.json()) as { readonly reason: string };
    return readTrainingBatch(new Uint8Array(await response.arrayBuffer())).map(({ dict }) => dict);
  }

  it('gets the scores of each conversation once, and exports them after a restart', async () => {
    const id = await endedSession();
    const answer = await scoreSession(id);
    expect(answer.body).toEqual({
      session_id: id,
      scorer: 'teacher',
      engine: 'vllm',
      model: 'large',
      scored_interactions: 3,
      total_interactions: 3,
      scored_tokens: 6,
    });
    expect(scored.map(({ ids, from }) => [ids.length, from])).toEqual([
      [10, 3],
      [5, 3],
    ]);
    await proxy.stop();
    proxy = await start();
    const rows = await exportRows(id, { include_tensors: ['ref_logprobs'] });
    expect(rows).toMatchObject([
      { ref_logprobs: { data: Float32Array.of(0, 0, 0, -3, -4, 0, 0, 0, -8, -9) } },
      { ref_logprobs: { data: Float32Array.of(0, 0, 0, -3, -4) } },
    ]);
    expect((await scoreSession(id)).body).toMatchObject({ scored_interactions: 0, total_interactions: 3 });
    expect(scored).toHaveLength(2);
  });

  it('is scored again where more of the likeliest tokens are asked for, or where the request says so', async () => {
    const id = await endedSession();
    await scoreSession(id);
    expect((await scoreSession(id, { top_logprobs: 2 })).body).toMatchObject({ scored_interactions: 3 });
    expect((await scoreSession(id, { top_logprobs: 1 })).body).toMatchObject({ scored_interactions: 0 });
    const [row] = (await exportRows(id, { include_tensors: ['ref_top_logprobs'] })) as { ref_top_ids?: object }[];
    expect(row?.ref_top_ids).toMatchObject({ shape: [1, 10, 2] });
    expect((await scoreSession(id, { again: true })).body).toMatchObject({ scored_interactions: 3 });
  });

  it('continues where a failed request stopped', async () => {
    const id = await endedSession();
    score = async (request, signal) => {
      if (request.ids.length > 5) throw new Error('no');
      return byPosition(request, signal);
    };
    expect((await scoreSession(id)).status).toBe(500);
    expect(await exportRows(id, { include_tensors: ['ref_logprobs'] })).toMatchObject({
      reason: 'tensor_not_recorded',
    });
    score = byPosition;
    expect((await scoreSession(id)).body).toMatchObject({ total_interactions: 3 });
  });

  /** A model that answers nothing until it is stopped. */
  function holdScores() {
    const events = new EventEmitter();
    const [began, stopped] = [once(events, 'began'), once(events, 'stopped')];
    score = (_request, signal) => {
      events.emit('began');
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          events.emit('stopped');
          reject(signal.reason as Error);
        });
      });
    };
    return { began, stopped };
  }

  it('is answered for when the model was too slow', async () => {
    const id = await endedSession();
    holdScores();
    expect(await scoreSession(id, { timeout_seconds: 0.01 })).toMatchObject({
      status: 504,
      body: { reason: 'scoring_not_finished', details: { scored: 0 } },
    });
  });

  it('is scored by one request of a model at a time, which stops when its client leaves', async () => {
    const id = await endedSession();
    const { began, stopped } = holdScores();
    const gone = new AbortController();
    const body = { session_id: id, scorer: 'teacher' };
    const left = proxy.call('/rl/score_session', { body, signal: gone.signal });
    await began;
    expect((await scoreSession(id)).body).toMatchObject({ reason: 'scoring_running' });
    gone.abort();
    await expect(left).rejects.toThrow();
    await stopped;
  });

  it('exports the scores of the model that is named, if there are several', async () => {
    const id = await endedSession();
    await scoreSession(id);
    score = async (request, signal) => {
      const { logprobs } = await byPosition(request, signal);
      return { logprobs: logprobs.map((value) => value / 2) };
    };
    await scoreSession(id, { scorer: 'reference' });
    const include = { include_tensors: ['ref_logprobs'] };
    expect(await exportRows(id, include)).toMatchObject({ reason: 'scorer_ambiguous' });
    const lastOf = async (name: string) => {
      const rows = (await exportRows(id, { ...include, scorer: name })) as { ref_logprobs?: { data: Float32Array } }[];
      return rows[0]?.ref_logprobs?.data.at(-1);
    };
    expect([await lastOf('teacher'), await lastOf('reference')]).toEqual([-9, -4.5]);
  });

  it('refuses a model that is not configured, and a session that has not ended', async () => {
    const id = await endedSession();
    expect((await scoreSession(id, { scorer: 'other' })).body).toMatchObject({ reason: 'scorer_not_found' });
    const { id: active } = await proxy.start();
    expect((await scoreSession(active)).body).toMatchObject({ reason: 'session_not_ended' });
  });
});
