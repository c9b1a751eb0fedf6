import { setTimeout as moment } from 'node:timers/promises';
import { endId, idsOf } from './support/byte-tokenizer';
import { episodeOf, startEpisode, type Episode } from './support/episode';
import { rowsOf, sumOf, type ExportedRow } from './support/exported-rows';
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

/** What the client of one session has been told, and so may rely on. */
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

type Step = (world: World, told: Told) => Promise<void>;
type StepName = keyof typeof steps;

/** Everything that outlives a process of the proxy. */
interface World {
  readonly setting: FakeSetting;
  readonly choice: SeededChoice;
  proxy: RolloutProxy;
}

const answerOf = ({ body }: Answer) => (body.choices as { message: ChatMessage }[])[0]?.message;

const steps = {
  'a whole call': async ({ proxy, setting }, told) => {
    const episode = episodeOf(proxy, told.id, told.key);
    const messages = [...told.messages, { role: 'user', content: `question ${told.messages.length}` }];
    const answer = await episode.chat({ messages });
    if (answer.status !== 200) throw new Error(`A call was answered with ${answer.status}.`);
    const message = answerOf(answer);
    const call = setting.engine.calls.find(({ request }) => request.requestId === answer.body.id);
    if (message === undefined || call === undefined) throw new Error('The call did not reach the engine.');
    told.messages.splice(0, told.messages.length, ...messages, message);
    told.last = String(answer.body.id);
    told.answers.set(told.last, [...call.request.promptIds, ...call.ids]);
  },
  'a streamed call': async ({ proxy, setting }, told) => {
    const client = episodeOf(proxy, told.id, told.key).openai();
    const messages = [...told.messages, { role: 'user', content: `question ${told.messages.length}` }];
    const stream = client.chat.completions.stream({ model: 'm', messages: messages as never });
    const answer = await stream.finalChatCompletion();
    const call = setting.engine.calls.find(({ request }) => request.requestId === answer.id);
    if (call === undefined) throw new Error('The call did not reach the engine.');
    const content = answer.choices[0]?.message.content ?? '';
    told.messages.splice(0, told.messages.length, ...messages, { role: 'assistant', content });
    told.last = answer.id;
    told.answers.set(answer.id, [...call.request.promptIds, ...call.ids]);
  },
  'a reward': async ({ proxy, choice }, told) => {
    if (told.last === undefined) return;
    const reward = choice.below(100);
    const target = told.last;
    // Whether it was set before the process ended is not known until it is set once more.
    told.rewards.delete(target);
    await episodeOf(proxy, told.id, told.key).reward(reward, target);
    told.rewards.set(target, reward);
  },
  'an end': async ({ proxy }, told) => {
    await episodeOf(proxy, told.id, told.key).end();
    told.hasEnded = true;
  },
  'an export': async ({ proxy }, told) => {
    const episode = episodeOf(proxy, told.id, told.key);
    await episode.end();
    told.hasEnded = true;
    await episode.exported();
  },
} as const satisfies Readonly<Record<string, Step>>;
const stepNames = Object.keys(steps) as StepName[];

async function begin(proxy: RolloutProxy): Promise<Told> {
  const { id, key } = await startEpisode(proxy, 'restart');
  return { id, key, messages: [], answers: new Map(), rewards: new Map(), last: undefined, hasEnded: false };
}

/** The step under way when the process is killed at some moment; it may have been told of or not. */
async function killDuring(world: World, told: Told, name: StepName): Promise<void> {
  const running = steps[name](world, told).catch(() => 'broken off');
  await moment(world.choice.below(longestMomentMs));
  world.proxy = await world.proxy.restart();
  await running;
}

async function checkNothingIsLost({ proxy }: World, told: Told): Promise<void> {
  const detail = await proxy.clientOf().getSession({ params: { sessionId: told.id } });
  const known = new Map(detail.interactions.map((one) => [one.interaction_id, one]));
  expect([...told.answers.keys()].filter((id) => !known.has(id))).toEqual([]);
  for (const [id, reward] of told.rewards) expect(known.get(id)?.reward).toBe(reward);
  if (told.hasEnded) expect(['ended', 'exported']).toContain(detail.state);
}

async function checkExport(world: World, told: Told): Promise<void> {
  const episode: Episode = episodeOf(world.proxy, told.id, told.key);
  // A key that ended its session may be gone with its export.
  await world.proxy.request('/rl/end_session', { body: { session_id: told.id } });
  const first = rowsOf(await episode.exported());
  world.proxy = await world.proxy.restart();
  const again = rowsOf(await episodeOf(world.proxy, told.id, told.key).exported());
  expect(again).toEqual(first);
  const rows = new Map<string, ExportedRow>(first.map((row) => [row.id, row]));
  for (const [id, tokens] of told.answers) expect(rows.get(id)?.ids).toEqual(tokens);
  for (const row of first) {
    const call = world.setting.engine.calls.find(({ request }) => request.requestId === row.id);
    expect(row.ids.slice(-sumOf(row.mask))).toEqual([...(call?.ids ?? [])]);
    expect(row.logprobs.slice(-sumOf(row.mask))).toEqual(call?.logprobs);
  }
}

describe('a proxy that is killed and started again', () => {
  let setting: FakeSetting;
  let world: World;
  beforeAll(async () => {
    setting = await startFakeSetting('sglang', { env: { ROLLOUT_CAPACITY: String(capacity) } });
    // No text gives 200 alone: whoever encodes the answer anew gets other tokens.
    setting.engine.setScript(({ callNumber, maxNewTokens }) =>
      [...idsOf(`answer ${callNumber} `), 200, ...idsOf(' end'), endId].slice(0, maxNewTokens),
    );
    world = { setting, choice: createSeededChoice(331), proxy: setting.proxy };
  });
  afterAll(async () => {
    await world.proxy.dispose();
    await setting.stop();
  });

  it(`goes on with the same tokens, keeps what it told and leaks no place, in ${rounds} rounds`, async () => {
    const { choice } = world;
    let told = await begin(world.proxy);
    for (let round = 0; round < rounds; round += 1) {
      if (told.hasEnded) told = await begin(world.proxy);
      await steps[choice.of(['a whole call', 'a streamed call'] as const)](world, told);
      await killDuring(world, told, round < stepNames.length ? (stepNames[round] ?? 'a reward') : choice.of(stepNames));
      await checkNothingIsLost(world, told);
      if (!told.hasEnded) {
        const before = told.answers.get(told.last ?? '') ?? [];
        const state = (await world.proxy.clientOf().getSession({ params: { sessionId: told.id } })).state;
        if (state === 'active') {
          await steps['a whole call'](world, told);
          const after = told.answers.get(told.last ?? '') ?? [];
          expect(after.slice(0, before.length)).toEqual(before);
          continue;
        }
      }
      await checkExport(world, told);
      await world.proxy.clientOf().acknowledgeExport({ body: { session_id: told.id } });
      told.hasEnded = true;
    }
    if (!told.hasEnded) await checkExport(world, told);
    for (let place = 0; place < capacity; place += 1) await world.proxy.clientOf().grantCapacity();
    const full = await world.proxy.request('/grant_capacity');
    expect([full.status, full.body.reason]).toEqual([429, 'capacity_exhausted']);
  });

  it('gives one session to a start that is repeated with its key because the answer was lost', async () => {
    for (let round = 0; round < 6; round += 1) {
      await forgetSessions(world.proxy);
      const ask = () =>
        world.proxy.request('/rl/start_session', {
          body: { task_id: 'start' },
          headers: { 'idempotency-key': `start-${round}` },
        });
      const running = ask().catch(() => undefined);
      await moment(world.choice.below(9));
      world.proxy = await world.proxy.restart();
      const lost = await running;
      const again = await ask();
      expect(again.status).toBe(200);
      if (lost?.status === 200) expect(again.body).toEqual(lost.body);
      const { sessions } = await world.proxy.clientOf().listSessions();
      expect(sessions.map(({ session_id }) => session_id)).toEqual([again.body.session_id]);
    }
  });
});

/** Leaves one grant, which the case before may have left more of, and no session. */
async function forgetSessions(proxy: RolloutProxy): Promise<void> {
  const trainer = proxy.clientOf();
  for (const { session_id: sessionId } of (await trainer.listSessions()).sessions) {
    await trainer.deleteSession({ params: { sessionId } });
  }
  await proxy.request('/grant_capacity');
}
