import type { ServiceStatus, TasksResponse } from '@weir/rollout-contract';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from '../testing/test-proxy';

let folder: TemporaryFolder;
let proxy: TestProxy;
const start = (env: Readonly<Record<string, string>> = {}) => startTestProxy({ env, dataFolder: folder.path });
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await proxy.stop();
  await folder.remove();
});

const get = async <Body>(address: string) => (await proxy.call(address, { method: 'GET' })).body as unknown as Body;

/** Asks a model once for each name, each time after the answer before; then sets a reward if there is one. */
async function aSession(task: string, { models, reward }: { models: readonly string[]; reward?: number }) {
  const { key } = await proxy.start(task);
  let messages: readonly object[] = [];
  for (const model of models) {
    messages = [...messages, { role: 'user', content: `to ${model}` }];
    const { body } = await proxy.call('/chat/completions', { key, body: { model, messages } });
    const [choice] = body.choices as { message: object }[];
    messages = [...messages, choice?.message ?? {}];
  }
  if (reward !== undefined) await proxy.call('/rl/set_reward', { key, body: { reward } });
}

// A call has 3 prompt tokens after those of the call before, which are from the cache, and 2 sampled ones.
const once = { calls: 1, prompt_tokens: 3, cached_tokens: 0, sampled_tokens: 2 };
const second = { calls: 1, prompt_tokens: 8, cached_tokens: 5, sampled_tokens: 2 };

it('tokens, sessions and rewards are summed by task and model, and after a restart they are the same', async () => {
  proxy = await start();
  await aSession('maths', { models: ['small', 'big'], reward: 1 });
  await aSession('maths', { models: ['small'], reward: 0 });
  await aSession('code', { models: ['small'] });
  const read = async () => {
    const { tasks } = await get<TasksResponse>('/rl/tasks');
    return {
      tasks: tasks.map(({ task_id: task, models }) => [task, models]),
      all: (await get<ServiceStatus>('/rl/status')).models,
    };
  };
  const usage = await read();
  const rewarded = { rewarded: 1, reward_mean: 1, cost: null };
  expect(usage.tasks).toEqual([
    ['code', [{ model: 'small', sessions: 1, ...once, rewarded: 0, reward_mean: null, cost: null }]],
    [
      'maths',
      [
        {
          model: 'small',
          sessions: 2,
          calls: 2,
          prompt_tokens: 6,
          cached_tokens: 0,
          sampled_tokens: 4,
          rewarded: 2,
          reward_mean: 0.5,
          cost: null,
        },
        { model: 'big', sessions: 1, ...second, ...rewarded },
      ],
    ],
  ]);
  expect(usage.all).toMatchObject([
    { model: 'small', sessions: 3, calls: 3, sampled_tokens: 6 },
    { model: 'big', sessions: 1, calls: 1 },
  ]);

  await proxy.stop();
  proxy = await start();
  expect(await read()).toEqual(usage);
});

it('a model with a price has costs, in which cached tokens have their own price', async () => {
  proxy = await start({ ROLLOUT_PRICES: '{"big":{"input":10,"cached_input":1,"output":100}}' });
  await aSession('maths', { models: ['small', 'big', 'small'] });
  const { models } = await get<ServiceStatus>('/rl/status');
  expect(models.map(({ model, cost }) => [model, cost])).toEqual([
    ['small', null],
    ['big', (3 * 10 + 5 * 1 + 2 * 100) / 1_000_000],
  ]);
});

it('names beyond 32 of a session are counted together', async () => {
  proxy = await start();
  await aSession('names', { models: Array.from({ length: 34 }, (_value, at) => `model-${at}`) });
  const { tasks } = await get<TasksResponse>('/rl/tasks?text=names');
  expect(tasks[0]?.models).toHaveLength(33);
  expect(tasks[0]?.models.find(({ model }) => model === '(others)')).toMatchObject({ calls: 2, sessions: 1 });
});
