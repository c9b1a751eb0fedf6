import { useReadableProxy } from '../testing/use-readable-proxy';

const proxy = useReadableProxy();
const { converse, get } = proxy;

describe('GET /rl/sessions', () => {
  it('returns pages that do not shift when a session starts or ends meanwhile', async () => {
    for (const task of ['a', 'b', 'a', 'b']) await proxy.start(task);
    const page = async (query: string) => {
      const { body } = await get(`/rl/sessions?order=newest&limit=2${query}`);
      const { sessions, next_cursor: cursor } = body as {
        readonly sessions: readonly { readonly session_id: string }[];
        readonly next_cursor: string | null;
      };
      return { ids: sessions.map((session) => session.session_id), cursor };
    };
    const first = await page('');
    expect(first.ids).toEqual(['b-1', 'a-1']);
    await proxy.start('c');
    const second = await page(`&cursor=${first.cursor ?? ''}`);
    expect(second).toEqual({ ids: ['b-0', 'a-0'], cursor: null });
    expect(await page('&task_id=a')).toEqual({ ids: ['a-1', 'a-0'], cursor: null });
    expect((await page('&text=B-')).ids).toEqual(['b-1', 'b-0']);
  });

  it('summarises rewards, versions and ends', async () => {
    const { id } = await converse();
    const { body } = await get('/rl/sessions');
    expect(body.sessions).toEqual([
      expect.objectContaining({
        session_id: id,
        reward: 1,
        first_version: 0,
        last_version: 0,
        quarantined_count: 0,
        mismatch_count: 0,
        last_finish_reason: 'stop',
        interaction_count: 2,
      }),
    ]);
  });

  it('returns 400 for a cursor of something else', async () => {
    expect((await get('/rl/sessions?cursor=zzz')).status).toBe(400);
  });
});

it('GET /rl/tasks adds up the sessions of a task, the latest task first', async () => {
  await converse('maths');
  await proxy.start('maths');
  await proxy.start('code');
  const { body } = await get('/rl/tasks');
  expect(body).toEqual({
    next_cursor: null,
    tasks: [
      expect.objectContaining({ task_id: 'code', sessions: 1, rewarded: 0, reward_mean: null }),
      expect.objectContaining({ task_id: 'maths', sessions: 2, unfinished: 2, rewarded: 1, reward_mean: 1 }),
    ],
  });
  const next = (await get('/rl/tasks?limit=1')).body.next_cursor;
  expect((await get(`/rl/tasks?limit=1&cursor=${String(next)}`)).body).toMatchObject({
    tasks: [{ task_id: 'maths' }],
    next_cursor: null,
  });
});
