import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import {
  createHttpEngine,
  createHuggingFaceTokenizer,
  type InferenceEngine,
  type Tokenizer,
} from '@weir/rollout-engine';
import { tinyTokenizer } from '@weir/rollout-engine/testing';
import OpenAI from 'openai';
import { load } from '../load/load';
import { createDirectClient, openDirectModel, type DirectClient, type DirectModel } from './index';

const question = { role: 'user', content: 'Begin.' } as const;

let fake: FakeEngine;
let engine: InferenceEngine;
let tokenizer: Tokenizer;
let model: DirectModel;
let client: DirectClient;

beforeAll(async () => {
  tokenizer = createHuggingFaceTokenizer(tinyTokenizer('chatml'));
  fake = await startFakeEngine({ dialect: 'sglang', vocabularySize: 256, weightVersion: '3' });
  engine = createHttpEngine({ dialect: 'sglang', url: fake.url, contextLength: 4096 });
  model = await openDirectModel({ engine, tokenizer, maxCompletionTokens: 16 });
});
afterAll(async () => {
  await model.stop();
  await engine.stop();
  await fake.stop();
  await tokenizer.stop();
});
beforeEach(() => {
  client = createDirectClient(model);
});

/** The tokens that the engine sampled in its last call. */
const lastSampled = (): readonly number[] => [...(fake.calls.at(-1)?.ids ?? [])];

async function ask(messages: OpenAI.ChatCompletionMessageParam[] = [question]) {
  const completion = await client.chat.completions.create({ model: 'any', messages });
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('The answer has no choice.');
  return { id: completion.id, message: choice.message };
}

/** The sampled tokens of an exported row. */
function trainedIds(id: string, style: 'individual' | 'concat' = 'individual'): readonly number[] {
  const tensors = client.exportInteractions(style).get(id)?.tensors;
  return [...(tensors?.input_ids.data ?? [])].filter((_id, at) => tensors?.loss_mask.data[at] === 1);
}

describe('a direct client', () => {
  it('records the tokens that the engine sampled for a chat completion', async () => {
    const { id } = await ask();
    expect(trainedIds(id)).toEqual(lastSampled());
  });

  it('continues the tokens of an answer in the next call', async () => {
    const first = await ask();
    const before = lastSampled();
    const second = await ask([question, first.message, { role: 'user', content: 'Go on.' }]);
    expect(client.exportInteractions().get(second.id)?.parentId).toBe(first.id);
    expect(trainedIds(second.id, 'concat')).toEqual([...before, ...lastSampled()]);
  });

  it('records a streamed completion like a whole one', async () => {
    const chunks = await client.chat.completions.create({ model: 'any', messages: [question], stream: true });
    const ids = new Set<string>();
    for await (const chunk of chunks) ids.add(chunk.id);
    expect([...client.exportInteractions().keys()]).toEqual([...ids]);
  });

  it('serves the responses protocol', async () => {
    const { id } = await client.responses.create({ model: 'any', input: 'Begin.' });
    expect(trainedIds(id)).toEqual(lastSampled());
  });

  it('keeps the interactions of two clients apart', async () => {
    const { id } = await ask();
    expect(createDirectClient(model).exportInteractions().size).toBe(0);
    expect([...client.exportInteractions().keys()]).toEqual([id]);
  });

  it('discounts rewards over the tree', async () => {
    const first = await ask();
    const second = await ask([question, first.message, { role: 'user', content: 'Go on.' }]);
    client.setReward(first.id, 0.25);
    client.setLastReward(1);
    client.applyRewardDiscount(0.5);
    const exported = client.exportInteractions();
    expect(exported.get(first.id)).toMatchObject({ reward: 0.75, originalReward: 0.25 });
    expect(exported.get(second.id)).toMatchObject({ reward: 1, originalReward: 1 });
  });

  it('returns the outcome of an episode, whose rows a trainer loads', async () => {
    const { id } = await ask();
    client.setLastReward(1);
    const outcome = client.outcome();
    if (outcome.status !== 'completed') throw outcome.error;
    expect(outcome.reward).toBe(1);
    const tensors = client.exportInteractions().get(id)?.tensors;
    expect(load(outcome.exported)).toEqual({ rows: [{ id, tensors }], batch: tensors });
  });

  it('returns no trajectory without a call', () => {
    expect(client.outcome()).toMatchObject({ status: 'rejected', reason: 'no_interactions' });
  });

  it('refuses a discount above 1 and keeps the previous one', async () => {
    const { id } = await ask();
    client.setReward(id, 1);
    expect(() => client.applyRewardDiscount(2)).toThrow(/discount/);
    expect(client.exportInteractions().get(id)?.reward).toBe(1);
  });

  it('refuses rewards of unknown interactions', () => {
    expect(() => client.setReward('chatcmpl-none', 1)).toThrow(/no completed interaction/);
    expect(() => client.setLastReward(1)).toThrow();
  });

  it('reports an invalid request as the error of the official client', async () => {
    const invalid = client.chat.completions.create({ model: 'any', messages: [] });
    await expect(invalid).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  it('reports a failed generation as a server error, and records nothing', async () => {
    fake.setScript(() => ({ ids: [], faults: { status: 500 } }));
    await expect(ask()).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    fake.setScript(() => [1, 2, 3]);
    expect(client.exportInteractions().size).toBe(0);
  });

  it('does not serve other operations', async () => {
    await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('fails calls after it was closed', async () => {
    client.close();
    await expect(ask()).rejects.toBeInstanceOf(OpenAI.ConflictError);
  });
});
