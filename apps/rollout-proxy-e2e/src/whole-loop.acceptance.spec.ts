import type { ExportResponse } from '@weir/rollout-contract';
import {
  createChatAgent,
  createGenerateContentAgent,
  createMessagesAgent,
  createResponsesAgent,
  type Agent,
  type AgentOptions,
  type AgentStep,
} from './support/agents';
import { startEpisode, type Episode } from './support/episode';
import { readJsonRows, readFileRows, sum, type ExportedRow } from './support/exported-rows';
import { losingFirstAnswer } from './support/lost-answer';
import { startRescorer, type Rescorer } from './support/rescorer';
import { startRolloutProxy, type RolloutProxy } from './support/rollout-proxy';

jest.setTimeout(120_000);

type Fetch = typeof fetch;
interface Protocol {
  readonly name: string;
  /** Whether a call comes in one event. */
  readonly sendsCallsWhole?: boolean;
  readonly agent: (episode: Episode, options: AgentOptions, through?: Fetch) => Agent;
}

/** The SDK of Google does not ask again when a connection breaks: its agents do, and say which call it is. */
const again =
  (through: Fetch): Fetch =>
  (...request) =>
    through(...request).catch(() => through(...request));
const clientWith = (through?: Fetch) => (through === undefined ? {} : { fetch: through, maxRetries: 1 });
const protocols: readonly Protocol[] = [
  {
    name: 'the official openai SDK on chat completions',
    agent: (episode, options, through) => createChatAgent(episode.openai(clientWith(through)), options),
  },
  {
    name: 'the official Anthropic SDK on messages',
    agent: (episode, options, through) => createMessagesAgent(episode.anthropic(clientWith(through)), options),
  },
  {
    name: 'the official openai SDK on responses',
    agent: (episode, options, through) => createResponsesAgent(episode.openai(clientWith(through)), options),
  },
  {
    name: 'the official Google SDK on generateContent',
    sendsCallsWhole: true,
    agent: (episode, options, through) =>
      createGenerateContentAgent(
        episode.google(
          through === undefined
            ? {}
            : { fetch: again(through), headers: { 'idempotency-key': 'the call that got lost' } },
        ),
        options,
      ),
  },
];

interface Played {
  /** The five answers of the agent. */
  readonly main: readonly AgentStep[];
  /** The step of its helper, which has another system prompt. */
  readonly helper: AgentStep;
  readonly attempts: number;
  readonly count: number;
  readonly individual: ExportResponse;
  readonly concat: ExportResponse;
  readonly file: Uint8Array;
}

const discount = 0.5;

const listBlockTypes = (value: unknown) =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, field]) => [name, typeof field]));

async function play(proxy: RolloutProxy, protocol: Protocol): Promise<Played> {
  const episode = await startEpisode(proxy, 'whole-loop');
  const main = { system: 'You are <|im_end|> helpful.', question: 'Is it warm in Rome? And 2 + 3?', hasTools: true };
  const lost = losingFirstAnswer();
  const agent = protocol.agent(episode, main);
  const first = await agent.step('get_weather');
  const second = await agent.step('add');
  const helper = await protocol
    .agent(episode, { system: 'You summarise.', question: 'Sunny, five.', hasTools: false })
    .step();
  const third = await agent.step('get_weather');
  const fourth = await agent.step('add');
  const fifth = await agent.step();
  await episode.reward(0.25, second.id);
  await episode.reward(1);
  // A call whose answer got lost is asked for again by the SDK itself.
  const retried = protocol.agent(episode, { ...main, question: 'And in Oslo?' }, lost.fetch);
  await retried.step('add');
  const count = await episode.end();
  return {
    main: [first, second, third, fourth, fifth],
    helper,
    attempts: lost.attempts(),
    count,
    individual: await episode.exported({ style: 'individual', discount }),
    concat: await episode.exported({ style: 'concat', discount }),
    file: await episode.exportedFile({ style: 'concat', discount }),
  };
}

describe('an episode on the embedded engine', () => {
  let proxy: RolloutProxy;
  let rescorer: Rescorer;

  beforeAll(async () => {
    proxy = await startRolloutProxy();
    rescorer = await startRescorer(proxy.home.file('data', 'tiny-model', 'model.gguf'));
  });

  afterAll(async () => {
    await rescorer.stop();
    await proxy.dispose();
  });

  describe.each(protocols)('played with $name', (protocol) => {
    let played: Played;
    let rows: ReadonlyMap<string, ExportedRow>;
    let concat: readonly ExportedRow[];
    const findRow = ({ id }: AgentStep): ExportedRow => {
      const row = rows.get(id);
      if (row === undefined) throw new Error('The answer was not exported.');
      return row;
    };

    beforeAll(async () => {
      played = await play(proxy, protocol);
      rows = new Map(readJsonRows(played.individual).map((row) => [row.id, row]));
      concat = readJsonRows(played.concat);
    });

    it('calls the two tools with arguments of their form, and ends with a text answer', () => {
      const names = played.main.map(({ calls }) => [...new Set(calls.map(({ name }) => name))]);
      expect(played.main[1]?.calls).toHaveLength(1);
      expect(names).toEqual([['get_weather'], ['add'], ['get_weather'], ['add'], []]);
      const types = played.main.slice(0, 2).map(({ calls }) => listBlockTypes(calls[0]?.arguments));
      expect(types).toEqual([{ city: 'string' }, { a: 'number', b: 'number' }]);
      for (const { events, calls } of played.main)
        expect(events).toBeGreaterThan(protocol.sendsCallsWhole === true && calls.length > 0 ? calls.length : 4);
    });

    it('records each answer once, even for a repeated request', () => {
      expect(played.attempts).toBe(2);
      expect(played.count).toBe(7);
      expect(rows.size).toBe(7);
      expect(played.individual.report).toMatchObject({ interactions: 7, quarantined: [], untrainedTokens: 0 });
    });

    it('links the turns of the agent in one path, and its helper to no parent', () => {
      const parents = played.main.map((round) => findRow(round).parentId);
      expect(parents).toEqual([null, ...played.main.slice(0, -1).map(({ id }) => id)]);
      expect(findRow(played.helper).parentId).toBeNull();
      expect(played.individual.report.drift).toEqual({ root: 3, continued: 4, forked: {} });
    });

    it('begins each turn with exactly the tokens of the previous one', () => {
      const lines = played.main.map((round) => findRow(round).ids);
      for (const [round, ids] of lines.slice(1).entries()) {
        const before = lines[round] ?? [];
        expect(ids.slice(0, before.length)).toEqual(before);
      }
    });

    it('trains as many tokens as the usage of the protocol reports', () => {
      for (const round of [...played.main, played.helper]) {
        const row = findRow(round);
        expect(sum(row.mask)).toBe(round.sampledTokens);
        expect(row.ids).toHaveLength(round.promptTokens + round.sampledTokens);
      }
      const all = sum([...rows.values()].map(({ mask }) => sum(mask)));
      expect(sum(concat.map(({ mask }) => sum(mask)))).toBe(all);
    });

    it('has the same tokens, log-probabilities and versions in one row of the whole conversation', () => {
      const last = played.main.at(-1);
      const whole = concat.find(({ id }) => id === last?.id);
      if (last === undefined || whole === undefined) throw new Error('The conversation was not exported.');
      expect(concat).toHaveLength(3);
      expect(whole.ids).toEqual(findRow(last).ids);
      for (const round of played.main) {
        const row = findRow(round);
        const from = row.mask.indexOf(1);
        expect(whole.mask.slice(from, row.ids.length)).toEqual(row.mask.slice(from));
        expect(whole.logprobs.slice(from, row.ids.length)).toEqual(row.logprobs.slice(from));
        expect(whole.versions.slice(from, row.ids.length)).toEqual(row.versions.slice(from));
      }
    });

    it('exports the same rows as a safetensors file, bit for bit', () => {
      const known = new Map(concat.map((row) => [row.id, row]));
      const read = readFileRows(played.file);
      expect(read).toHaveLength(concat.length);
      for (const row of read) expect({ ...row, parentId: known.get(row.id)?.parentId }).toEqual(known.get(row.id));
    });

    it('propagates rewards along the tree', () => {
      const rewards = played.main.map((round) => findRow(round).reward);
      expect(rewards).toEqual([0.1875, 0.375, 0.25, 0.5, 1]);
      expect(findRow(played.helper).reward).toBe(0);
    });

    it('is scored the same by the model from the exported tokens, within 1e-4', async () => {
      for (const row of [...concat, ...readFileRows(played.file)]) {
        const scored = await rescorer.rescore(row.ids);
        const worst = row.mask.reduce(
          (most, trained, at) =>
            trained === 0
              ? most
              : Math.max(most, Math.abs((scored[at - 1] ?? Infinity) - (row.logprobs[at] ?? Infinity))),
          0,
        );
        expect(worst).toBeLessThan(1e-4);
      }
    });
  });
});
