import { EpisodeError, type CompletedEpisode, type EpisodeOutcome, type GroupOutcome } from '../episode/outcome';
import { toRejected } from '../episode/to-rejected';
import type { EpisodeContext, RolloutWorkflow } from '../episode/workflow';

/** Why a group is of no use, as a stable identifier; `undefined` keeps it. Called with at least one member. */
export type GroupFilter = (completed: readonly CompletedEpisode[]) => string | undefined;

/** Rejects a group whose completed members all have the same reward: its advantages would all be 0. */
export const zeroVariance: GroupFilter = (completed) => {
  const rewards = new Set(completed.map(({ reward }) => reward));
  return rewards.size > 1 ? undefined : 'zero_variance';
};

export interface GroupOptions {
  readonly size: number;
  readonly filter?: GroupFilter;
}

/**
 * Plays each episode `size` times at the same time, with equal data: each member gets a structured clone, so that
 * members cannot change each other's data; data that cannot be cloned is the same object for all. The outcome has one
 * entry for each member; a failed one does not affect the others.
 */
export function createGroupedWorkflow(workflow: RolloutWorkflow, { size, filter }: GroupOptions): RolloutWorkflow {
  return {
    arunEpisode: async (engine, data, context: EpisodeContext = {}): Promise<GroupOutcome> => {
      const indexes = Array.from({ length: size }, (_member, index) => index);
      const copies = copyData(data, size);
      const members = await Promise.all(
        indexes.map((sampleIndex) => runMember(workflow, engine, copies[sampleIndex], { ...context, sampleIndex })),
      );
      return summarize(members, filter);
    },
  };
}

function copyData(data: unknown, size: number): readonly unknown[] {
  try {
    return Array.from({ length: size }, (): unknown => structuredClone(data));
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
    return new Array<unknown>(size).fill(data);
  }
}

async function runMember(
  workflow: RolloutWorkflow,
  engine: unknown,
  data: unknown,
  context: EpisodeContext,
): Promise<EpisodeOutcome> {
  try {
    const outcome = await workflow.arunEpisode(engine, data, context);
    if (outcome.kind === 'episode') return outcome;
    throw new EpisodeError('agent_failed', 'A member of a group cannot be a group.');
  } catch (error) {
    return toRejected({ error, otherwise: 'agent_failed' });
  }
}

function summarize(members: readonly EpisodeOutcome[], filter: GroupFilter | undefined): GroupOutcome {
  const completed = members.filter((member) => member.status === 'completed');
  const rejected = (reason: string): GroupOutcome => ({ kind: 'group', status: 'rejected', reason, members });
  if (completed.length === 0) return rejected('no_members');
  const reason = filter?.(completed);
  if (reason !== undefined) return rejected(reason);
  const status = completed.length === members.length ? 'complete' : 'partial';
  return { kind: 'group', status, reason: undefined, members };
}
