import { createProxyWorkflow } from './episode/proxy-workflow';
import { createGroupedWorkflow } from './group/grouped-workflow';
import { createRolloutClient } from './client/rollout-client';

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
  await client.releaseAdapter('math');
  expect(calls).toEqual([
    ['/rl/start_session', { task_id: 'task', adapter }],
    ['/rl/start_session', { task_id: '' }],
    ['/update_weights', { adapter: 'math', file: '/adapters/math-7', version: 7 }],
    ['/adapters', undefined],
    ['/adapters/math', undefined],
  ]);
});

it('all members of a group have the adapter of their workflow', async () => {
  const adapter = { name: 'math' };
  const started: unknown[] = [];
  const client = {
    grant: () => Promise.resolve(1),
    start: (options: unknown) => {
      started.push(options);
      return Promise.reject(new Error('The case needs no session.'));
    },
    interactions: () => Promise.resolve([]),
    export: () => Promise.reject(new Error('There is no session.')),
  };
  const workflow = createProxyWorkflow({ client, runAgent: () => Promise.resolve(1), adapter });
  await createGroupedWorkflow(workflow, { size: 3 }).arunEpisode(undefined, {});
  expect(started).toMatchObject(Array(3).fill({ adapter }));
});
