import type { SearchResponse } from '@weir/rollout-contract';
import { waitFor } from '@weir/test-kit';
import { startEpisode, type Episode } from './support/episode';
import { followChanges } from './support/follow-changes';
import { createConversation, startReplicaSetting, type ReplicaSetting } from './support/replica-setting';
import type { RolloutProxy } from './support/rollout-proxy';
import { startWorkerSetting, endWorkers, workersOf, type WorkerSetting } from './support/worker-setting';

jest.setTimeout(140_000);

/** Every request has a connection of its own, and so any worker may get it. */
const apart = { connection: 'close' };
const times = 8;

const get = (at: RolloutProxy, address: string) => at.request(address, { method: 'GET', headers: apart });
const repeatedly = (at: RolloutProxy, address: string) =>
  Promise.all(Array.from({ length: times }, () => get(at, address)));

async function playEpisodes(at: RolloutProxy, task: string, count: number): Promise<readonly Episode[]> {
  const episodes = [];
  // One after the other, so that the later one is also the later one in lists.
  for (let index = 0; index < count; index += 1) episodes.push(await startEpisode(at, task));
  await Promise.all(episodes.map((episode) => createConversation().ask(episode)));
  return episodes;
}

async function searchAll(at: RolloutProxy, text: string, limit: number): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor = '';
  do {
    const { body } = await get(at, `/rl/search?text=${text}&limit=${limit}${cursor}`);
    const { matches, next_cursor: next } = body as unknown as SearchResponse;
    found.push(...matches.map(({ session_id: id }) => id));
    cursor = next === null ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  return found;
}

const removeAll = async (at: RolloutProxy, episodes: readonly Episode[]) => {
  for (const { id } of episodes) await at.createClient().deleteSession({ params: { sessionId: id } });
};

const sampleOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name.replaceAll(/[{}]/g, String.raw`\$&`)} (\\S+)$`, 'm').exec(text)?.[1]);

describe('several workers behind one address', () => {
  let setting: WorkerSetting;
  let proxy: RolloutProxy;
  beforeAll(async () => {
    setting = await startWorkerSetting();
    ({ proxy } = setting);
  });
  afterAll(() => setting.stop());

  it('find a text in the sessions of all, the latest first, however it is paged', async () => {
    const episodes = await playEpisodes(proxy, 'searched', 6);
    const latestFirst = episodes.map(({ id }) => id).reverse();

    const whole = await Promise.all(Array.from({ length: times }, () => searchAll(proxy, 'question', 50)));
    const paged = await Promise.all([1, 2, 4].map((limit) => searchAll(proxy, 'question', limit)));

    for (const found of [...whole, ...paged]) expect(found).toEqual(latestFirst);
    await removeAll(proxy, episodes);
  });

  it.each(['/rl/search?text=a&cursor=none', '/rl/sessions?cursor=none', '/rl/tasks?cursor=none'])(
    'refuse %s',
    async (address) => {
      for (const { status, body } of await repeatedly(proxy, address)) {
        expect([status, body.reason]).toEqual([400, 'request_invalid']);
      }
    },
  );

  it('have the metrics of all, whichever is asked', async () => {
    const before = await get(proxy, '/metrics');
    const episodes = await playEpisodes(proxy, 'counted', 5);

    const scrapes = await repeatedly(proxy, '/metrics');

    const requests = 'weir_rollout_request_seconds_count{method="POST",status="200"}';
    for (const { text } of scrapes) {
      expect(sampleOf(text, 'weir_rollout_sessions{state="active"}')).toBe(5);
      expect(sampleOf(text, 'weir_rollout_generation_paused')).toBe(0);
      // A grant, a start and a call for each, of which some were forwarded.
      expect(sampleOf(text, requests) - (sampleOf(before.text, requests) || 0)).toBeGreaterThanOrEqual(15);
    }
    await removeAll(proxy, episodes);
  });

  it('tell each live stream of the changes of all, also of those that replace others', async () => {
    const { replicas } = await proxy.createClient().getStatus();
    const streams = await Promise.all(replicas.map(({ address }) => followChanges(address)));
    const expectTold = async (episodes: readonly Episode[], of = streams) => {
      const what = 'every stream to tell of every session';
      const isTold = ({ sessions }: (typeof streams)[number]) =>
        episodes.every(({ id }) => sessions.get(id)?.interaction_count === 1);
      await waitFor(() => of.every(isTold), { what });
    };
    await waitFor(() => streams.every(({ readies }) => readies() > 0), { what: 'the streams to be ready' });
    const first = await playEpisodes(proxy, 'told', 5);
    await expectTold(first);

    await endWorkers(proxy, workersOf(proxy).slice(0, 1));
    const left = await waitFor(
      () => {
        const heard = streams.filter(({ readies }) => readies() > 1);
        return heard.length === 2 && heard;
      },
      { what: 'the streams of the workers that are left to hear the new one' },
    );
    const second = await playEpisodes(proxy, 'told', 5);
    await expectTold([...first, ...second], left);

    for (const { removed } of left) expect([...removed]).toEqual([]);
    await removeAll(proxy, [...first, ...second]);
    await waitFor(() => left.every(({ removed }) => removed.size === 10), { what: 'the removals to be told' });
    for (const { stop } of streams) await stop();
  });
});

describe('several replicas of a database', () => {
  let setting: ReplicaSetting;
  beforeAll(async () => {
    setting = await startReplicaSetting(2);
  });
  afterAll(() => setting.stop());

  it('find a text in the sessions of all, and tell of their changes', async () => {
    const [owner, other] = setting.replicas as [RolloutProxy, RolloutProxy];
    const stream = await followChanges(other.url);
    await waitFor(() => stream.readies() > 0, { what: 'the stream to be ready' });

    const episodes = [...(await playEpisodes(owner, 'shared', 2)), ...(await playEpisodes(other, 'shared', 2))];

    const ids = episodes.map(({ id }) => id);
    await waitFor(() => ids.every((id) => stream.sessions.get(id)?.interaction_count === 1), { what: 'all sessions' });
    for (const at of [owner, other]) expect(await searchAll(at, 'question', 2)).toEqual(ids.toReversed());
    await stream.stop();
  });
});
