import { waitFor } from '@weir/test-kit';
import { joinEpisode, startEpisode, type Episode } from './support/episode';
import { createConversation, startReplicaSetting, trainedRows, type ReplicaSetting } from './support/replica-setting';
import type { RolloutProxy } from './support/rollout-proxy';

jest.setTimeout(140_000);

let setting: ReplicaSetting;
/** The replica that stays. */
let survivor: RolloutProxy;

beforeAll(async () => {
  setting = await startReplicaSetting(1);
  [survivor] = setting.replicas as [RolloutProxy];
});
afterEach(() => setting.answer());
afterAll(() => setting.stop());

const at = (proxy: RolloutProxy, { id, key }: Episode) => joinEpisode(proxy, id, key);

/** Repeats a call that was not answered, or told to try again, as clients do. */
const untilAnswered = <T>(call: () => Promise<T>, what: string) =>
  waitFor(async () => ({ answer: await call() }), { what }).then(({ answer }) => answer);

/** Three calls with two rewards; between the calls something may happen to the owner. */
async function play(first: RolloutProxy, second: RolloutProxy, between: (episode: Episode) => Promise<unknown>) {
  const episode = await startEpisode(first, 'played');
  const conversation = createConversation();
  await conversation.ask(episode);
  await episode.reward(0.25);
  await conversation.ask(episode);
  await between(episode);
  const moved = at(second, episode);
  await untilAnswered(() => conversation.ask(moved), 'the third call to be answered');
  await moved.reward(1);
  await moved.end();
  return { episode: moved, exported: trainedRows(await moved.exported({ discount: 0.9 })) };
}

const undisturbed = async () => (await play(survivor, survivor, () => Promise.resolve())).exported;

describe('a session whose replica is lost', () => {
  it('continues on another replica with the same tokens, rewards and export after kill -9', async () => {
    const victim = await setting.join();

    const { exported, episode } = await play(victim, survivor, () => victim.process.stop({ signal: 'SIGKILL' }));

    expect(exported).toEqual(await undisturbed());
    expect(exported.rows.length).toBeGreaterThan(0);
    expect(await setting.ownerOf(episode.id)).toBe(survivor.url);
  });

  it('continues on another replica after SIGTERM, before its lease would have expired', async () => {
    const victim = await setting.join({ ROLLOUT_LEASE_SECONDS: '600' });

    const { exported } = await play(victim, survivor, async () => {
      expect(await victim.process.stop({ signal: 'SIGTERM' })).toMatchObject({ code: 0 });
    });

    expect(exported).toEqual(await undisturbed());
  });

  it('lets a running call finish on SIGTERM, records it, and moves then', async () => {
    const victim = await setting.join({ ROLLOUT_LEASE_SECONDS: '600' });
    const episode = await startEpisode(victim, 'finishing');
    setting.holdAnswers();
    const call = createConversation().ask(episode);
    await waitFor(() => setting.engine.heldCount() === 1, { what: 'the generation to run' });

    const stopped = victim.process.stop({ signal: 'SIGTERM' });
    await victim.process.waitForOutput('stopping');
    setting.engine.release();
    const id = await call;
    await stopped;

    const detail = await survivor.createClient().getSession({ params: { sessionId: episode.id } });
    expect(detail.interactions.map((one) => one.interaction_id)).toEqual([id]);
  });

  it('loses only the answer in progress when it is killed within a stream', async () => {
    const victim = await setting.join();
    const episode = await startEpisode(victim, 'broken');
    const conversation = createConversation();
    const first = await conversation.ask(episode);
    setting.holdAnswers();
    const forwarded = at(survivor, episode).openai();
    const messages = [...conversation.messages, { role: 'user', content: 'more' }] as never;
    const stream = await forwarded.chat.completions.create({ model: 'm', messages, stream: true });
    const received = (async () => {
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
    })();
    const broken = expect(received).rejects.toThrow();
    await waitFor(() => setting.engine.heldCount() === 1, { what: 'the generation to run' });

    await victim.process.stop({ signal: 'SIGKILL' });

    await broken;
    setting.answer();
    const second = await untilAnswered(() => conversation.ask(at(survivor, episode)), 'the call to be answered again');
    const detail = await survivor.createClient().getSession({ params: { sessionId: episode.id } });
    expect(detail.interactions.map((one) => one.interaction_id)).toEqual([first, second]);
  });
});

describe('a replica that is paused for longer than its lease', () => {
  it('acknowledges nothing for its former sessions, and forwards to the new owner', async () => {
    const stale = await setting.join();
    const episode = await startEpisode(stale, 'fenced');
    const conversation = createConversation();
    const first = await conversation.ask(episode);
    setting.holdAnswers();
    const late = stale.request('/v1/chat/completions', {
      key: episode.key,
      body: { model: 'm', messages: [{ role: 'user', content: 'late' }] },
    });
    await waitFor(() => setting.engine.heldCount() === 1, { what: 'the generation to run' });
    process.kill(stale.process.pid, 'SIGSTOP');
    try {
      // The answer is sampled while the process is stopped: it is in the sockets when the process continues.
      setting.answer();
      setting.engine.release();
      const second = await untilAnswered(() => conversation.ask(at(survivor, episode)), 'the take-over');
      expect(await setting.ownerOf(episode.id)).toBe(survivor.url);

      process.kill(stale.process.pid, 'SIGCONT');

      expect((await late).status).toBe(503);
      const third = await untilAnswered(() => conversation.ask(at(stale, episode)), 'the replica to forward');
      const reward = () => at(stale, episode).reward(1, third);
      await untilAnswered(reward, 'the reward to be forwarded');
      for (const proxy of [stale, survivor]) {
        const detail = await proxy.createClient().getSession({ params: { sessionId: episode.id } });
        expect(detail.interactions.map((one) => one.interaction_id)).toEqual([first, second, third]);
        expect(detail.reward).toBe(1);
      }
    } finally {
      process.kill(stale.process.pid, 'SIGCONT');
    }
  });
});
