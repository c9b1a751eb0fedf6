import type { AlternativesResponse } from '@weir/rollout-contract';
import { readSafetensors } from '@weir/tensor-dict';
import type { TokenScorer } from '@weir/rollout-engine';
import { adminKey, startTestProxy, type TestProxy } from '../testing/test-proxy';
import { say } from '../testing/use-test-proxy';

/** Thinks that token 7 is likelier than what was sampled, which comes second. */
const teacher: TokenScorer = {
  info: () => Promise.resolve({ engine: 'vllm', model: 'large' }),
  score: ({ ids, from }) => {
    const scored = [...ids.slice(from)];
    return Promise.resolve({
      logprobs: Float32Array.from(scored, () => -2),
      top: {
        count: 2,
        ids: Int32Array.from(scored.flatMap((id) => [7, id])),
        logprobs: Float32Array.from(scored.flatMap(() => [-1, -2])),
      },
    });
  },
  stop: () => Promise.resolve(),
};

let proxy: TestProxy;
beforeEach(async () => {
  proxy = await startTestProxy({ serving: () => ({ scorers: new Map([['teacher', teacher]]) }) });
});
afterEach(() => proxy.stop());

/** The address of one call of a session that was started with this. */
async function aCall(start: object = {}): Promise<string> {
  await proxy.call('/grant_capacity');
  const { body } = await proxy.call('/rl/start_session', { body: start });
  const key = String(body.session_api_key);
  const answer = await proxy.call('/chat/completions', { key, body: say('hello') });
  await proxy.call('/rl/end_session', { key });
  return `/rl/sessions/${String(body.session_id)}/interactions/${String(answer.body.id)}`;
}

const get = (address: string) => proxy.call(address, { method: 'GET' });
const alternativesOf = async (address: string, query = '') =>
  (await get(`${address}/alternatives${query}`)).body as unknown as AlternativesResponse;

describe('GET …/alternatives', () => {
  it('returns the likeliest tokens with the rank of the sampled one, and those of a model that scored', async () => {
    const address = await aCall({ record: { top_logprobs: 3 } });
    const [, , , sessionId] = address.split('/');
    await proxy.call('/rl/score_session', { body: { session_id: sessionId, scorer: 'teacher', top_logprobs: 2 } });

    const { positions, tokens } = await alternativesOf(address, '?count=2');
    const second = positions[1]?.scores[0]?.likeliest[1]?.id;
    const likeliestOf = (ids: readonly number[], from: number) => ids.map((id, at) => ({ id, logprob: from - at }));
    expect(positions).toEqual([
      {
        at: 3,
        rank: 1,
        likeliest: likeliestOf([4, 21], -0.5),
        scores: [{ scorer: 'teacher', rank: 2, likeliest: likeliestOf([7, 4], -1) }],
      },
      {
        at: 4,
        rank: null,
        likeliest: likeliestOf([20, 21], -0.5),
        scores: [{ scorer: 'teacher', rank: 2, likeliest: likeliestOf([7, Number(second)], -1) }],
      },
    ]);
    expect(tokens.find(({ id }) => id === 4)).toEqual({
      id: 4,
      bytes: Buffer.from('d').toString('base64'),
      control: false,
    });
  });

  it('is limited to the positions that are asked for, within the path', async () => {
    const address = await aCall({ record: { top_logprobs: 1 } });
    const first = await alternativesOf(address, '?from=0&limit=4');
    expect([first.from, first.to, first.positions.map(({ at }) => at)]).toEqual([0, 4, [3]]);
    const rest = await alternativesOf(address, '?from=4');
    expect([rest.from, rest.to, rest.positions.map(({ at }) => at)]).toEqual([4, 5, [4]]);
    const none = await alternativesOf(address, '?from=900');
    expect([none.from, none.to, none.positions]).toEqual([5, 5, []]);
    expect((await get(`${address}/alternatives?limit=257`)).status).toBe(400);
  });

  it('is empty where nothing is recorded', async () => {
    const { positions, tokens } = await alternativesOf(await aCall());
    expect([positions, tokens]).toEqual([[], []]);
  });
});

describe('GET …/tokens', () => {
  it('has entropies, weights and scores where they are recorded, as lists and as tensors', async () => {
    const address = await aCall({ record: { top_logprobs: 1 } });
    const [, , , sessionId] = address.split('/');
    await proxy.call('/rl/score_session', { body: { session_id: sessionId, scorer: 'teacher' } });
    await proxy.call('/rl/set_loss_weight', { body: { session_id: sessionId, weight: 0.5 } });

    const { body } = await get(`${address}/tokens`);
    expect(body).toMatchObject({
      alternatives: 2,
      loss_weights: [null, null, null, 0.5, 0.5],
      scores: { teacher: [null, null, null, -2, -2] },
    });
    const p = Math.exp(-0.5);
    expect((body.entropies as number[])[4]).toBeCloseTo(-p * Math.log(p) - (1 - p) * Math.log(1 - p), 5);
    const file = await fetch(`${proxy.url}${address}/tokens`, {
      headers: { 'x-api-key': adminKey, accept: 'application/x-safetensors' },
    });
    const { tensors, metadata } = readSafetensors(new Uint8Array(await file.arrayBuffer()));
    expect(metadata.alternatives).toBe('2');
    expect([...(tensors['scores.teacher']?.data ?? [])]).toEqual([NaN, NaN, NaN, -2, -2]);
    expect([...(tensors.loss_weights?.data ?? [])]).toEqual([NaN, NaN, NaN, 0.5, 0.5]);
    expect(tensors.entropies?.dtype).toBe('float32');
  });

  it('has none of them where nothing is recorded', async () => {
    const { body } = await get(`${await aCall()}/tokens`);
    expect(body.alternatives).toBe(0);
    for (const name of ['entropies', 'prompt_logprobs', 'mask_sizes', 'loss_weights', 'scores']) {
      expect(body).not.toHaveProperty(name);
    }
  });
});
