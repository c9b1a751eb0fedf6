import { spawnProcess, waitFor } from '@weir/test-kit';
import { joinEpisode, startEpisode, type Episode } from './support/episode';
import { createConversation, startReplicaSetting, trainedRows } from './support/replica-setting';
import { adminKey, program, type RolloutProxy } from './support/rollout-proxy';
import { isAlive, endWorkers, startWorkerSetting, workersOf, type WorkerSetting } from './support/worker-setting';

jest.setTimeout(140_000);

const capacity = 12;
const readKey = 'a-read-key-for-black-box-specs';
let setting: WorkerSetting;
let proxy: RolloutProxy;

beforeAll(async () => {
  setting = await startWorkerSetting({ ROLLOUT_CAPACITY: String(capacity), ROLLOUT_READ_KEY: readKey });
  ({ proxy } = setting);
});
afterEach(() => setting.answer());
afterAll(() => setting.stop());

const untilAnswered = <T>(call: () => Promise<T>, what: string) =>
  waitFor(async () => ({ answer: await call() }), { what }).then(({ answer }) => answer);

/** Every request has a connection of its own, and so any worker may get it. */
const apart = { connection: 'close' };

const episodes = (at: RolloutProxy, count: number, task: string) =>
  Promise.all(Array.from({ length: count }, () => startEpisode(at, task)));

/** Conversations of the official SDK, with a reward each; returns what is trained. */
async function play(at: RolloutProxy, task: string, between?: () => Promise<unknown>) {
  const started = await episodes(at, 6, task);
  const ids = await Promise.all(
    started.map(async (episode) => {
      const openai = episode.openai({ maxRetries: 5 });
      const messages: { role: 'user' | 'assistant'; content: string }[] = [];
      const found: string[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        messages.push({ role: 'user', content: `question ${turn}` });
        const body = { model: 'm', messages };
        const { id, choices } = await openai.chat.completions.create(body, { headers: apart });
        found.push(id);
        messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' });
      }
      return found;
    }),
  );
  await between?.();
  const trained = [];
  for (const [index, episode] of started.entries()) {
    await episode.reward(index);
    await episode.end();
    const exported = await episode.exported({ discount: 0.9 });
    expect(Object.keys(exported.interactions).sort()).toEqual([...(ids[index] ?? [])].sort());
    trained.push(trainedRows(exported));
    await at.createClient().deleteSession({ params: { sessionId: episode.id } });
  }
  return trained;
}

async function alone(): Promise<Awaited<ReturnType<typeof play>>> {
  const one = await setting.start({ ROLLOUT_WORKERS: '1' });
  try {
    return await play(one, 'alone');
  } finally {
    await one.process.stop();
  }
}

const interactionsOf = async (at: RolloutProxy, { id }: Episode) =>
  (await at.createClient().getSession({ params: { sessionId: id } })).interactions.map((one) => one.interaction_id);

describe('several workers behind one address', () => {
  it('continue conversations exactly, and export what a single process exports', async () => {
    expect(await play(proxy, 'shared')).toEqual(await alone());
  });

  it('are those that the status lists, and show all sessions, whichever is asked', async () => {
    const started = await episodes(proxy, 5, 'listed');
    await Promise.all(started.map((episode) => createConversation().ask(episode)));
    const ids = started.map(({ id }) => id).sort();

    const [statuses, lists, tasks] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, () => proxy.request('/rl/status', { method: 'GET', headers: apart }))),
      Promise.all(
        Array.from({ length: 6 }, () =>
          proxy.request('/rl/sessions?task_id=listed', { method: 'GET', headers: apart }),
        ),
      ),
      Promise.all(
        Array.from({ length: 6 }, () => proxy.request('/rl/tasks?text=listed', { method: 'GET', headers: apart })),
      ),
    ]);

    const models = [{ sessions: 5, calls: 5 }];
    for (const { body } of statuses) expect(body).toMatchObject({ sessions: 5, unfinished_sessions: 5, models });
    for (const { body } of tasks) expect(body).toMatchObject({ tasks: [{ task_id: 'listed', models }] });
    const addresses = statuses.map(({ body }) => (body.replicas as { address: string }[]).map((one) => one.address));
    expect(new Set(addresses.map((all) => [...all].sort().join()))).toHaveProperty('size', 1);
    expect(addresses[0]).toHaveLength(3);
    expect(workersOf(proxy)).toHaveLength(3);
    for (const { body } of lists) {
      expect((body.sessions as { session_id: string }[]).map((one) => one.session_id).sort()).toEqual(ids);
    }
    for (const sessionId of ids) await proxy.createClient().deleteSession({ params: { sessionId } });
  });

  it('count capacity once', async () => {
    const grants = await Promise.all(
      Array.from({ length: capacity + 5 }, () => proxy.request('/grant_capacity', { headers: apart })),
    );
    expect(grants.filter(({ status }) => status === 200)).toHaveLength(capacity);

    const starts = await Promise.all(
      Array.from({ length: capacity + 5 }, () =>
        proxy.request('/rl/start_session', { body: { task_id: 'counted' }, headers: apart }),
      ),
    );

    const started = starts.filter(({ status }) => status === 200).map(({ body }) => String(body.session_id));
    expect(new Set(started)).toHaveProperty('size', capacity);
    expect((await proxy.request('/grant_capacity')).body.reason).toBe('capacity_exhausted');
    for (const sessionId of started) await proxy.createClient().deleteSession({ params: { sessionId } });
  });

  it('pause and continue together', async () => {
    const statuses = async () => {
      const all = Array.from({ length: 8 }, () => proxy.request('/rl/status', { method: 'GET', headers: apart }));
      return new Set((await Promise.all(all)).map(({ body }) => body.paused));
    };
    await proxy.createClient().pauseGeneration();
    expect(await statuses()).toEqual(new Set([true]));
    await endWorkers(proxy, workersOf(proxy).slice(0, 1));
    expect(await statuses()).toEqual(new Set([true]));

    await proxy.createClient().continueGeneration();

    expect(await statuses()).toEqual(new Set([false]));
  });

  it('know a browser that has signed in at one of them, and show it every session', async () => {
    const episode = await startEpisode(proxy, 'looked-at');
    await createConversation().ask(episode);
    const signedIn = await proxy.request('/rl/browser_session', {
      key: null,
      body: { key: readKey },
      headers: apart,
    });
    expect(signedIn.status).toBeLessThan(300);
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';

    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        proxy.request(`/rl/sessions/${episode.id}`, { method: 'GET', key: null, headers: { ...apart, cookie } }),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await proxy.createClient().deleteSession({ params: { sessionId: episode.id } });
  });
});

describe('workers that end', () => {
  it('are replaced, and nothing that was answered is lost or recorded twice', async () => {
    const started = await episodes(proxy, 8, 'killed');
    const answered = new Map<string, string[]>(started.map(({ id }) => [id, []]));
    let isOver = false;
    const agents = started.map(async (episode) => {
      const conversation = createConversation();
      while (!isOver) {
        const id = await untilAnswered(() => conversation.ask(episode), 'a call to be answered');
        answered.get(episode.id)?.push(id);
      }
    });
    for (let round = 0; round < 4; round += 1) {
      const before = [...answered.values()].flat().length;
      await waitFor(() => [...answered.values()].flat().length > before + 8, { what: 'calls to be answered' });
      // Every third time all of them at once.
      await endWorkers(proxy, round === 2 ? workersOf(proxy) : workersOf(proxy).slice(0, 1));
    }
    isOver = true;
    await Promise.all(agents);

    for (const episode of started) {
      const stored = await untilAnswered(() => interactionsOf(proxy, episode), 'the session');
      const ids = answered.get(episode.id) ?? [];
      expect(ids.filter((id) => !stored.includes(id))).toEqual([]);
      expect(new Set(stored)).toHaveProperty('size', stored.length);
      await proxy.createClient().deleteSession({ params: { sessionId: episode.id } });
    }
  });

  it.each<readonly [string, NodeJS.Signals, number]>([
    ['all are killed', 'SIGKILL', 3],
    ['one gets SIGTERM, and hands over what it has', 'SIGTERM', 1],
  ])('continue exactly when %s', async (_name, signal, count) => {
    const end = () => endWorkers(proxy, workersOf(proxy).slice(0, count), signal);

    expect(await play(proxy, 'continued', end)).toEqual(await alone());
  });
});

describe('workers that are replicas of a database', () => {
  it('take over from one that is killed without waiting for its lease', async () => {
    const replicas = await startReplicaSetting(1, { ROLLOUT_WORKERS: '2', ROLLOUT_LEASE_SECONDS: '600' });
    try {
      const [group] = replicas.replicas as [RolloutProxy];
      const started = await episodes(group, 6, 'shared');
      const conversations = started.map((episode) => ({ episode, conversation: createConversation() }));
      const askAll = () =>
        Promise.all(
          conversations.map(({ episode, conversation }) =>
            untilAnswered(() => conversation.ask(episode), 'a call to be answered'),
          ),
        );
      const first = await askAll();
      await endWorkers(group, workersOf(group).slice(0, 1));

      const second = await askAll();

      for (const [index, episode] of started.entries()) {
        expect(await interactionsOf(group, episode)).toEqual([first[index], second[index]]);
      }
    } finally {
      await replicas.stop();
    }
  });
});

describe('the process that leads the workers', () => {
  it('leaves none behind when it is killed, and the next start has every session, with any number of workers', async () => {
    let current = await setting.start();
    const { home } = current;
    const episode = await startEpisode(current, 'restored');
    const conversation = createConversation();
    const ids = [await conversation.ask(episode)];
    for (const workers of ['1', '2', '3']) {
      const before = workersOf(current);

      await current.process.stop({ signal: 'SIGKILL' });

      await waitFor(() => before.every((pid) => !isAlive(pid)), { what: 'the workers to end' });
      current = await setting.start({ ROLLOUT_WORKERS: workers }, home);
      ids.push(await conversation.ask(joinEpisode(current, episode.id, episode.key)));
    }
    expect(await interactionsOf(current, episode)).toEqual(ids);
    await current.process.stop();
  });

  it('lets running calls finish on SIGTERM, and ends with 0', async () => {
    const draining = await setting.start();
    const started = await episodes(draining, 4, 'draining');
    setting.holdAnswers();
    const calls = started.map((episode) => createConversation().ask(episode));
    await waitFor(() => setting.engine.heldCount() === 4, { what: 'the generations to run' });
    const pids = workersOf(draining);

    const stopped = draining.process.stop({ signal: 'SIGTERM', deadlineMs: 30_000 });
    await waitFor(() => draining.process.stderr().match(/worker.*stopping|stopping.*worker/g)?.length === 3, {
      what: 'the workers to stop',
    });
    setting.engine.release();

    expect(await Promise.all(calls)).toHaveLength(4);
    expect(await stopped).toMatchObject({ code: 0 });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.each([
    ['the embedded engine', { ROLLOUT_WORKERS: '2' }, /ROLLOUT_WORKERS above 1 needs an engine that all workers use/],
    ['an engine that is not there', { ROLLOUT_WORKERS: '2', ROLLOUT_ENGINE: 'sglang' }, /workers cannot start/],
  ])('says why it does not start with %s', async (_name, env, message) => {
    const failing = await spawnProcess({
      command: process.execPath,
      args: [program],
      env: { HOME: proxy.home.path, ROLLOUT_DATA_DIR: proxy.home.file('other'), ROLLOUT_ADMIN_KEY: adminKey, ...env },
    });

    expect(await failing.exited).toMatchObject({ code: 1 });
    expect(failing.stderr()).toMatch(message);
  });

  it('refuses a port that another program has', async () => {
    const other = await setting.start();
    const failing = await spawnProcess({
      command: process.execPath,
      args: [program, '--port', new URL(other.url).port, '--workers', '2'],
      env: {
        HOME: proxy.home.path,
        ROLLOUT_DATA_DIR: proxy.home.file('second'),
        ROLLOUT_ADMIN_KEY: adminKey,
        ROLLOUT_ENGINE: 'sglang',
        ROLLOUT_ENGINE_URLS: setting.engine.url,
      },
    });

    expect(await failing.exited).toMatchObject({ code: 1 });
    expect(failing.stderr()).toContain('is taken by another process; ROLLOUT_PORT chooses another port');
  });
});
