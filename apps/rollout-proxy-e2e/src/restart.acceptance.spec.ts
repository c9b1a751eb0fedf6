import { setTimeout as moment } from 'node:timers/promises';
import { endId, toByteIds } from './support/byte-tokenizer';
import { joinEpisode, startEpisode, type Episode } from './support/episode';
import { readJsonRows, sum, type ExportedRow } from './support/exported-rows';
import { startFakeSetting, type FakeSetting } from './support/fake-setting';
import type { Answer, RolloutProxy } from './support/rollout-proxy';
import { createSeededChoice, type SeededChoice } from './support/seeded-choice';

jest.setTimeout(140_000);

const rounds = 10;
const capacity = 3;
const longestMomentMs = 25;

interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** The answers to the client of one session, on which it may rely. */
interface Told {
  readonly key: string;
  readonly id: string;
  readonly messages: ChatMessage[];
  /** Answers by id, with the tokens up to and with them. */
  readonly answers: Map<string, readonly number[]>;
  readonly rewards: Map<string, number>;
  last: string | undefined;
  hasEnded: boolean;
}

type Step = (world: World, reported: Told) => Promise<void>;
type StepName = keyof typeof steps;

/** Everything that outlives a process of the proxy. */
interface World {
  readonly setting: FakeSetting;
  readonly choice: SeededChoice;
  proxy: RolloutProxy;
}

const readAnswer = ({ body }: Answer) => (body.choices as { message: ChatMessage }[])[0]?.message;

const steps = {
  'a whole call': async ({ proxy, setting }, reported) => {
    const episode = joinEpisode(proxy, reported.id, reported.key);
    const messages = [...reported.messages, { role: 'user', content: `question ${reported.messages.length}` }];
    const answer = await episode.chat({ messages });
    if (answer.status !== 200) throw new Error(`A call was answered with ${answer.status}.`);
    const message = readAnswer(answer);
    const call = setting.engine.calls.find(({ request }) => request.requestId === answer.body.id);
    if (message === undefined || call === undefined) throw new Error('The call did not reach the engine.');
    reported.messages.splice(0, reported.messages.length, ...messages, message);
    reported.last = String(answer.body.id);
    reported.answers.set(reported.last, [...call.request.promptIds, ...call.ids]);
  },
  'a streamed call': async ({ proxy, setting }, reported) => {
    const client = joinEpisode(proxy, reported.id, reported.key).openai();
    const messages = [...reported.messages, { role: 'user', content: `question ${reported.messages.length}` }];
    const stream = client.chat.completions.stream({ model: 'm', messages: messages as never });
    const answer = await stream.finalChatCompletion();
    const call = setting.engine.calls.find(({ request }) => request.requestId === answer.id);
    if (call === undefined) throw new Error('The call did not reach the engine.');
    const content = answer.choices[0]?.message.content ?? '';
    reported.messages.splice(0, reported.messages.length, ...messages, { role: 'assistant', content });
    reported.last = answer.id;
    reported.answers.set(answer.id, [...call.request.promptIds, ...call.ids]);
  },
  'a reward': async ({ proxy, choice }, reported) => {
    if (reported.last === undefined) return;
    const reward = choice.below(100);
    const target = reported.last;
    // Whether it was set before the process ended is not known until it is set once more.
    reported.rewards.delete(target);
    await joinEpisode(proxy, reported.id, reported.key).reward(reward, target);
    reported.rewards.set(target, reward);
  },
  'an end': async ({ proxy }, reported) => {
    await joinEpisode(proxy, reported.id, reported.key).end();
    reported.hasEnded = true;
  },
  'an export': async ({ proxy }, reported) => {
    const episode = joinEpisode(proxy, reported.id, reported.key);
    await episode.end();
    reported.hasEnded = true;
    await episode.exported();
  },
} as const satisfies Readonly<Record<string, Step>>;
const stepNames = Object.keys(steps) as StepName[];

async function begin(proxy: RolloutProxy): Promise<Told> {
  const { id, key } = await startEpisode(proxy, 'restart');
  return { id, key, messages: [], answers: new Map(), rewards: new Map(), last: undefined, hasEnded: false };
}

/** The running step when the process is killed at a random moment; it may have been answered or not. */
async function killDuring(world: World, reported: Told, name: StepName): Promise<void> {
  const running = steps[name](world, reported).catch(() => 'broken off');
  await moment(world.choice.below(longestMomentMs));
  world.proxy = await world.proxy.restart();
  await running;
}

async function checkNothingIsLost({ proxy }: World, reported: Told): Promise<void> {
  const detail = await proxy.createClient().getSession({ params: { sessionId: reported.id } });
  const known = new Map(detail.interactions.map((one) => [one.interaction_id, one]));
  expect([...reported.answers.keys()].filter((id) => !known.has(id))).toEqual([]);
  for (const [id, reward] of reported.rewards) expect(known.get(id)?.reward).toBe(reward);
  if (reported.hasEnded) expect(['ended', 'exported']).toContain(detail.state);
}

async function checkExport(world: World, reported: Told): Promise<void> {
  const episode: Episode = joinEpisode(world.proxy, reported.id, reported.key);
  // A key that ended its session may be gone with its export.
  await world.proxy.request('/rl/end_session', { body: { session_id: reported.id } });
  const first = readJsonRows(await episode.exported());
  world.proxy = await world.proxy.restart();
  const restarted = readJsonRows(await joinEpisode(world.proxy, reported.id, reported.key).exported());
  expect(restarted).toEqual(first);
  const rows = new Map<string, ExportedRow>(first.map((row) => [row.id, row]));
  for (const [id, tokens] of reported.answers) expect(rows.get(id)?.ids).toEqual(tokens);
  for (const row of first) {
    const call = world.setting.engine.calls.find(({ request }) => request.requestId === row.id);
    expect(row.ids.slice(-sum(row.mask))).toEqual([...(call?.ids ?? [])]);
    expect(row.logprobs.slice(-sum(row.mask))).toEqual(call?.logprobs);
  }
}

describe('a proxy that is killed and started again', () => {
  let setting: FakeSetting;
  let world: World;
  beforeAll(async () => {
    setting = await startFakeSetting('sglang', { env: { ROLLOUT_CAPACITY: String(capacity) } });
    // No text encodes to 200 alone: encoding the answer again gives other tokens.
    setting.engine.setScript(({ callNumber, maxNewTokens }) =>
      [...toByteIds(`answer ${callNumber} `), 200, ...toByteIds(' end'), endId].slice(0, maxNewTokens),
    );
    world = { setting, choice: createSeededChoice(331), proxy: setting.proxy };
  });
  afterAll(async () => {
    await world.proxy.dispose();
    await setting.stop();
  });

  it(`continues the same tokens, keeps its answers and leaks no capacity, in ${rounds} rounds`, async () => {
    const { choice } = world;
    let reported = await begin(world.proxy);
    for (let round = 0; round < rounds; round += 1) {
      if (reported.hasEnded) reported = await begin(world.proxy);
      await steps[choice.of(['a whole call', 'a streamed call'] as const)](world, reported);
      await killDuring(
        world,
        reported,
        round < stepNames.length ? (stepNames[round] ?? 'a reward') : choice.of(stepNames),
      );
      await checkNothingIsLost(world, reported);
      if (!reported.hasEnded) {
        const before = reported.answers.get(reported.last ?? '') ?? [];
        const state = (await world.proxy.createClient().getSession({ params: { sessionId: reported.id } })).state;
        if (state === 'active') {
          await steps['a whole call'](world, reported);
          const after = reported.answers.get(reported.last ?? '') ?? [];
          expect(after.slice(0, before.length)).toEqual(before);
          continue;
        }
      }
      await checkExport(world, reported);
      await world.proxy.createClient().acknowledgeExport({ body: { session_id: reported.id } });
      reported.hasEnded = true;
    }
    if (!reported.hasEnded) await checkExport(world, reported);
    for (let folder = 0; folder < capacity; folder += 1) await world.proxy.createClient().grantCapacity();
    const full = await world.proxy.request('/grant_capacity');
    expect([full.status, full.body.reason]).toEqual([429, 'capacity_exhausted']);
  });

  it('starts one session for a start that is repeated with its key because the answer was lost', async () => {
    for (let round = 0; round < 6; round += 1) {
      await waitForSessionsToExpire(world.proxy);
      const ask = () =>
        world.proxy.request('/rl/start_session', {
          body: { task_id: 'start' },
          headers: { 'idempotency-key': `start-${round}` },
        });
      const running = ask().catch(() => undefined);
      await moment(world.choice.below(9));
      world.proxy = await world.proxy.restart();
      const lost = await running;
      const restarted = await ask();
      expect(restarted.status).toBe(200);
      if (lost?.status === 200) expect(restarted.body).toEqual(lost.body);
      const { sessions } = await world.proxy.createClient().listSessions();
      expect(sessions.map(({ session_id }) => session_id)).toEqual([restarted.body.session_id]);
    }
  });
});

/** Leaves one grant, which the case before may have left more of, and no session. */
async function waitForSessionsToExpire(proxy: RolloutProxy): Promise<void> {
  const trainer = proxy.createClient();
  for (const { session_id: sessionId } of (await trainer.listSessions()).sessions) {
    await trainer.deleteSession({ params: { sessionId } });
  }
  await proxy.request('/grant_capacity');
}
