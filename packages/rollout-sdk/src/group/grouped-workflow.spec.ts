import type { CompletedEpisode, EpisodeOutcome } from '../episode/outcome';
import type { EpisodeContext, RolloutWorkflow } from '../episode/workflow';
import { createGroupedWorkflow, zeroVariance } from './grouped-workflow';

const completed = (reward: number): CompletedEpisode => ({
  kind: 'episode',
  status: 'completed',
  sessionId: 'session',
  reward,
  exported: new Map(),
});

/** A workflow of one's own, which is not wrapped. */
function workflowOf(play: (data: unknown, context: EpisodeContext) => Promise<EpisodeOutcome>): RolloutWorkflow {
  return { arunEpisode: (_engine, data, context = {}) => play(data, context) };
}

const byIndex = (rewards: readonly number[]) =>
  workflowOf((_data, { sampleIndex = -1 }) => Promise.resolve(completed(rewards[sampleIndex] ?? Number.NaN)));

describe('a group', () => {
  it('has an outcome for each member, in order', async () => {
    const group = createGroupedWorkflow(byIndex([3, 1, 2]), { size: 3 });
    const members = [completed(3), completed(1), completed(2)];
    expect(await group.arunEpisode(undefined, {})).toEqual({
      kind: 'group',
      status: 'complete',
      reason: undefined,
      members,
    });
  });

  it('continues when a workflow throws for one member', async () => {
    const group = createGroupedWorkflow(
      workflowOf((_data, { sampleIndex }) =>
        sampleIndex === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(completed(1)),
      ),
      { size: 3 },
    );
    expect(await group.arunEpisode(undefined, {})).toMatchObject({
      status: 'partial',
      members: [{ status: 'completed' }, { status: 'rejected', reason: 'agent_failed' }, { status: 'completed' }],
    });
  });

  it('gives each member its own copy of the data', async () => {
    const seen: unknown[] = [];
    const group = createGroupedWorkflow(
      workflowOf((data, { sampleIndex }) => {
        const { messages } = data as { messages: string[] };
        messages.push(`of ${String(sampleIndex)}`);
        seen.push(messages);
        return Promise.resolve(completed(1));
      }),
      { size: 2 },
    );
    const data = { messages: ['prompt'] };
    await group.arunEpisode(undefined, data);
    expect(seen).toEqual([
      ['prompt', 'of 0'],
      ['prompt', 'of 1'],
    ]);
    expect(data).toEqual({ messages: ['prompt'] });
  });

  it('shares data that cannot be cloned', async () => {
    const data = { check: () => true };
    const seen = new Set<unknown>();
    const group = createGroupedWorkflow(
      workflowOf((given) => {
        seen.add(given);
        return Promise.resolve(completed(1));
      }),
      { size: 2 },
    );
    await group.arunEpisode(undefined, data);
    expect([...seen]).toEqual([data]);
  });

  it('passes on the engine and the signal', async () => {
    const given: unknown[] = [];
    const engine = { name: 'engine' };
    const { signal } = new AbortController();
    const inner: RolloutWorkflow = {
      arunEpisode: (own, _data, context) => {
        given.push(own, context?.signal);
        return Promise.resolve(completed(1));
      },
    };
    await createGroupedWorkflow(inner, { size: 1 }).arunEpisode(engine, {}, { signal });
    expect(given).toEqual([engine, signal]);
  });

  it('refuses a group of groups', async () => {
    const inner = createGroupedWorkflow(byIndex([1, 2]), { size: 2 });
    const outer = createGroupedWorkflow(inner, { size: 1 });
    expect(await outer.arunEpisode(undefined, {})).toMatchObject({ status: 'rejected', reason: 'no_members' });
  });
});

describe('zeroVariance', () => {
  it.each([
    [[1, 1, 1], 'zero_variance'],
    [[0], 'zero_variance'],
    [[0, 1, 0], undefined],
  ])('is for %j: %p', (rewards, reason) => {
    expect(zeroVariance(rewards.map(completed))).toBe(reason);
  });
});
