import type { ForestResponse } from '@weir/rollout-contract';
import { readSafetensors } from '@weir/tensor-dict';
import { readKey, user, useReadableProxy } from '../testing/use-readable-proxy';

const proxy = useReadableProxy();
const { converse, get } = proxy;

it('GET …/forest discounts rewards by other choices, and changes nothing', async () => {
  const { id, first, second } = await converse();
  const rewards = async (query: string) => {
    const { nodes } = (await get(`/rl/sessions/${id}/forest${query}`)).body as unknown as ForestResponse;
    return nodes.map((node) => [node.interaction_id, node.reward, node.discounted_reward]);
  };
  expect(await rewards('')).toEqual([
    [first, null, 1],
    [second, 1, 1],
  ]);
  expect(await rewards('?discount=0.25')).toEqual([
    [first, null, 0.25],
    [second, 1, 1],
  ]);
  expect(await rewards('')).toEqual([
    [first, null, 1],
    [second, 1, 1],
  ]);
  expect((await get(`/rl/sessions/${id}/forest?discount=2`)).status).toBe(400);
});

describe('GET …/interactions/{interactionId}', () => {
  it('returns the conversation, and marks the new messages', async () => {
    const { id, second } = await converse();
    const { body } = await get(`/rl/sessions/${id}/interactions/${second}`);
    expect(body).toMatchObject({
      session_id: id,
      messages: [user('How high is the Zugspitze?'), { role: 'assistant' }, user('In feet?')],
      new_messages: 1,
      output: { role: 'assistant' },
      node: { interaction_id: second, reward: 1, prompt_tokens: 8, sampled_tokens: 2 },
      provenance: null,
    });
  });

  it('returns 404 for another id', async () => {
    const { id } = await converse();
    const { status, body } = await get(`/rl/sessions/${id}/interactions/nothing`);
    expect([status, body.reason]).toEqual([404, 'unknown_interaction']);
  });
});

describe('GET …/tokens', () => {
  it('returns every token of the path, its origin, and its bytes', async () => {
    const { id, first, second } = await converse();
    const { body } = await get(`/rl/sessions/${id}/interactions/${second}/tokens`);
    const ids = body.ids as number[];
    expect(ids.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(body).toMatchObject({
      segments: [
        { interaction_id: first, from: 0, sampled_from: 3, to: 5 },
        { interaction_id: second, from: 5, sampled_from: 8, to: 10 },
      ],
      logprobs: [null, null, null, -0.5, -0.25, null, null, null, -0.5, -0.25],
      versions: [-1, -1, -1, 0, 0, -1, -1, -1, 0, 0],
      loss_mask: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
      sources: [0, 0, 0, 2, 2, 0, 0, 0, 1, 1],
      turns: [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
      control: [0, 0, 1, 0, 0, 0, 0, 1, 0, 0],
    });
    expect(String(body.text).slice(0, 8)).toBe('ab<end>d');
    expect((body.byte_offsets as number[]).slice(0, 5)).toEqual([0, 1, 2, 7, 8]);
    expect(Buffer.from(String(body.bytes), 'base64').toString()).toBe(body.text);
  });

  it('is a safetensors file on request, with the same values', async () => {
    const { id, second } = await converse();
    const address = `/rl/sessions/${id}/interactions/${second}/tokens`;
    const { body } = await get(address);
    const answer = await fetch(`${proxy.url}${address}`, {
      headers: { 'x-api-key': readKey, accept: 'application/x-safetensors' },
    });
    expect(answer.headers.get('content-type')).toBe('application/x-safetensors');
    const { tensors, metadata } = readSafetensors(new Uint8Array(await answer.arrayBuffer()));
    for (const name of ['ids', 'versions', 'loss_mask', 'sources', 'turns', 'control', 'byte_offsets']) {
      expect([name, [...(tensors[name]?.data ?? [])]]).toEqual([name, body[name]]);
    }
    expect(tensors.logprobs?.dtype).toBe('float32');
    const packed = tensors.bytes?.data ?? new Int32Array();
    const bytes = Buffer.from(packed.buffer, packed.byteOffset, Number(metadata.byte_length));
    expect(bytes.toString()).toBe(body.text);
  });
});
