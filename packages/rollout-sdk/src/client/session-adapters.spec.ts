import { createRolloutClient } from './rollout-client';

const answer = { session_id: 'task-0', session_api_key: 'key', version: 7, adapters: [{ name: 'math', version: 7 }] };

it('a start names its adapter, and an update the one that it is of', async () => {
  const calls: unknown[] = [];
  const client = createRolloutClient({
    url: 'http://proxy.invalid',
    adminKey: 'key',
    httpClient: {
      fetch: (url, options) => {
        const { body } = options ?? {};
        calls.push([new URL(url).pathname, typeof body === 'string' ? JSON.parse(body) : undefined]);
        return Promise.resolve(Response.json(answer));
      },
      close: () => Promise.resolve(),
    },
  });
  const adapter = { name: 'math', path: '/adapters/math' };
  await client.start({ taskId: 'task', adapter });
  await client.start();
  await client.updateWeights({ adapter: 'math', file: '/adapters/math-7', version: 7 });
  expect(await client.adapters()).toEqual(answer.adapters);
  expect(calls).toEqual([
    ['/rl/start_session', { task_id: 'task', adapter }],
    ['/rl/start_session', { task_id: '' }],
    ['/update_weights', { adapter: 'math', file: '/adapters/math-7', version: 7 }],
    ['/adapters', undefined],
  ]);
});
