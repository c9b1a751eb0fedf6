import { zeroVariance, type EpisodeOutcome, type Exported, type Rollout } from '@weir/rollout-sdk';
import { waitFor } from '@weir/test-kit';
import { agentPath, importModule, readCases, startSdkSetting, type SdkSetting } from './support/sdk-setting';

const table = readCases();
const modes = ['inline', 'subproc'] as const;

let setting: SdkSetting;
beforeAll(async () => {
  setting = await startSdkSetting();
});
afterAll(() => setting.stop());

/** Expects that the session is removed and that there is room for the next episode. */
async function expectAllFreed(): Promise<void> {
  expect(await setting.client.sessions()).toEqual([]);
  const metrics = await setting.fake.proxy.request('/metrics', { method: 'GET' });
  expect(metrics.text).toMatch(/^weir_rollout_grants_unused 0$/m);
}

function rewardsOf(exported: Exported): readonly (number | null)[] {
  if (!('interactions' in exported)) throw new Error('The export is not an answer of the proxy.');
  return Object.values(exported.interactions).map(({ original_reward: reward }) => reward);
}

const summary = (outcome: EpisodeOutcome) => ({
  status: outcome.status,
  reason: outcome.status === 'rejected' ? outcome.reason : null,
});

describe.each(modes)('in %s mode', (mode) => {
  let rollout: Rollout;
  const open = (timeoutSeconds: number, workers = 2): Rollout =>
    setting.createRollout({
      config: { rollout: { llm: { mode, subproc_max_workers: workers } } },
      timeoutMs: timeoutSeconds * 1000,
    });
  afterEach(() => rollout.close());

  const episodes = table.episodes.filter((one) => one.modes.includes(mode));
  it.each(episodes)('$name', async ({ agent, data, timeout_seconds: timeoutSeconds, expected }) => {
    rollout = open(timeoutSeconds ?? table.default_timeout_seconds);
    const workflow = await rollout.resolve(agentPath, { imports: { importModule } });
    const given = { agent, ...(data === 'unserializable' && { handle: () => undefined }) };

    const outcome = await workflow.arunEpisode(undefined, given);

    if (outcome.kind !== 'episode') throw new Error('The outcome is that of a group.');
    expect(summary(outcome)).toEqual({ status: expected.status, reason: expected.reason });
    expect(outcome.status === 'completed' ? rewardsOf(outcome.exported) : null).toEqual(expected.rewards);
    await expectAllFreed();
  });

  const groups = table.groups.filter((one) => one.modes.includes(mode));
  it.each(groups)('a group: $name', async ({ members, filter, expected }) => {
    rollout = open(table.default_timeout_seconds, 4);
    const workflow = await rollout.resolve(agentPath, {
      groupSize: members.length,
      imports: { importModule },
      ...(filter === 'zero_variance' && { filter: zeroVariance }),
    });

    const outcome = await workflow.arunEpisode(undefined, { members });

    if (outcome.kind !== 'group') throw new Error('The outcome is not that of a group.');
    expect({ status: outcome.status, reason: outcome.reason ?? null }).toEqual({
      status: expected.status,
      reason: expected.reason,
    });
    expect(outcome.members.map(summary)).toEqual(expected.members);
    await expectAllFreed();
  });

  it('plays the next episode after a failed one', async () => {
    rollout = open(table.default_timeout_seconds, 1);
    const workflow = await rollout.resolve(agentPath, { imports: { importModule } });
    const failing = mode === 'subproc' ? { do: 'kill' } : { do: 'raise', message: 'broken' };
    await workflow.arunEpisode(undefined, { agent: { calls: 1, then: failing } });

    const next = await workflow.arunEpisode(undefined, {
      agent: { calls: 1, then: { do: 'return', type: 'float', value: 1 } },
    });

    expect(next.status).toBe('completed');
  });

  it('cancels an episode by its signal', async () => {
    rollout = open(table.default_timeout_seconds);
    const workflow = await rollout.resolve(agentPath, { imports: { importModule } });
    const controller = new AbortController();
    const playing = workflow.arunEpisode(
      undefined,
      { agent: { calls: 1, then: { do: 'hang' } } },
      { signal: controller.signal },
    );
    await waitFor(async () => (await setting.client.sessions()).some((session) => session.interaction_count === 1), {
      deadlineMs: 60_000,
      what: 'the call of the agent',
    });

    controller.abort();

    expect(await playing).toMatchObject({ status: 'rejected', reason: 'cancelled' });
    await expectAllFreed();
  });
});
