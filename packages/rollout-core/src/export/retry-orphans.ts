import type { Interaction } from '../cache/interaction';

export interface RetryOrphans {
  /** Answers that were not continued, with siblings for the same request. Never have children. */
  readonly orphans: readonly Interaction[];
  /** Retained only because they are the latest: no answer was continued, so the client may have seen another one. */
  readonly unresolved: readonly Interaction[];
}

/**
 * Finds leftovers of a client's retries. Calls with the same parent and equal input form a group. If a call of the
 * group has children, those without children are orphans; if none has, all but the latest are. The result is in order
 * of completion; the time is linear in the interactions.
 */
export function findRetryOrphans(interactions: Iterable<Interaction>): RetryOrphans {
  const all = [...interactions];
  const parents = new Set(all.map(({ parent }) => parent));
  const latest = new Map<string, Interaction>();
  const repeated = new Set<string>();
  const continued = new Set<string>();
  for (const interaction of all) {
    const group = toGroupKey(interaction);
    if (latest.has(group)) repeated.add(group);
    latest.set(group, interaction);
    if (parents.has(interaction)) continued.add(group);
  }
  const isRetained = (interaction: Interaction, group: string) =>
    parents.has(interaction) || (!continued.has(group) && latest.get(group) === interaction);
  return {
    orphans: all.filter((interaction) => !isRetained(interaction, toGroupKey(interaction))),
    unresolved: [...repeated].filter((group) => !continued.has(group)).flatMap((group) => latest.get(group) ?? []),
  };
}

const toGroupKey = ({ parent, inputKey }: Interaction): string => `${parent?.index ?? ''} ${inputKey}`;
