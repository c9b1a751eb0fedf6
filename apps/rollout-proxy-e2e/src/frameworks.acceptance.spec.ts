import path from 'node:path';
import type { Rollout } from '@weir/rollout-sdk';
import { saying } from './support/fake-setting';
import { startSdkSetting, type SdkSetting } from './support/sdk-setting';

let setting: SdkSetting;
let rollout: Rollout;
beforeAll(async () => {
  setting = await startSdkSetting();
  // In `subproc` mode a framework has only LLM_BASE_URL and LLM_API_KEY.
  rollout = setting.createRollout({ config: { rollout: { llm: { mode: 'subproc', subproc_max_workers: 1 } } } });
});
afterAll(async () => {
  await rollout.close();
  await setting.stop();
});

const toolCall = '<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": 3}}\n</tool_call>';

describe('an unmodified framework', () => {
  it.each([
    ['@openai/agents', 'openai-agents.mjs'],
    ['@langchain/openai', 'langchain.mjs'],
    ['ai and @ai-sdk/openai-compatible', 'vercel-ai.mjs'],
    ['@anthropic-ai/sdk', 'anthropic-sdk.mjs'],
    ['@google/genai', 'google-genai.mjs'],
  ])('plays a tool over two turns, the second continuing the first: %s', async (_name, file) => {
    const answers = [saying(toolCall), saying('It is 5.')];
    setting.fake.engine.setScript(() => answers.shift() ?? saying('Too many calls.'));
    const workflow = await rollout.resolve(`${path.join(__dirname, 'support/__fixtures__', file)}#Adder`, {
      // The trainer does not call it; the process imports the framework itself.
      imports: { importModule: () => Promise.resolve({ Adder: { run: () => undefined } }) },
    });

    const outcome = await workflow.arunEpisode(undefined, { question: 'What is 2 + 3?' });

    if (outcome.kind !== 'episode' || outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
    if (!('interactions' in outcome.exported)) throw new Error('The export is not an answer of the proxy.');
    const [first, second, ...more] = Object.values(outcome.exported.interactions);
    expect(outcome.reward).toBe(1);
    expect(second?.parent_id).toBe(first?.interaction_id);
    expect(more).toEqual([]);
  });
});
