import OpenAI from 'openai';
import { startRolloutProxy, type RolloutProxy } from './support/rollout-proxy';

let proxy: RolloutProxy;
beforeAll(async () => {
  proxy = await startRolloutProxy();
});
afterAll(() => proxy.dispose());

/** The fields of vLLM, which the types of the SDK do not have. */
interface WithIds {
  readonly prompt_token_ids: readonly number[];
  readonly token_ids: readonly number[];
}

describe('an agent that keeps the tokens itself, with the embedded engine', () => {
  it('continues by ids, also after a restart, and all that it sampled is one training row', async () => {
    await proxy.request('/grant_capacity');
    const { body } = await proxy.request('/rl/start_session', { body: { task_id: 'raw' } });
    const key = String(body.session_api_key);
    const ask = async (prompt: string | number[]): Promise<WithIds> => {
      const openai = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: key });
      const request = { model: 'weir-tiny', prompt, max_tokens: 8, logprobs: 1, return_token_ids: true };
      const { choices } = await openai.completions.create(request);
      return choices[0] as unknown as WithIds;
    };

    const first = await ask('Once upon a time');
    const second = await ask([...first.prompt_token_ids, ...first.token_ids, 40, 41]);
    proxy = await proxy.restart();
    const prompt = [...second.prompt_token_ids, ...second.token_ids];
    const third = await ask(prompt);
    await proxy.request('/rl/end_session', { key });
    const exported = await proxy.request('/export_trajectories', {
      body: { session_id: body.session_id, style: 'concat', model_response: 'arrays' },
    });

    expect(third.prompt_token_ids).toEqual(prompt);
    const { interactions, report } = exported.body as {
      readonly interactions: Readonly<Record<string, { readonly tensor_dict: Readonly<Record<string, unknown>> }>>;
      readonly report: Readonly<Record<string, unknown>>;
    };
    const [row, ...others] = Object.values(interactions);
    expect(others).toEqual([]);
    expect(report).toMatchObject({ interactions: 3, rows: 1 });
    const ids = row?.tensor_dict.input_ids as { readonly data: string };
    const bytes = Buffer.from(ids.data, 'base64');
    expect([...new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)]).toEqual([
      ...prompt,
      ...third.token_ids,
    ]);
  });
});
