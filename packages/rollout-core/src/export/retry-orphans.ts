import type { Interaction } from '../cache/interaction';

export interface RetryOrphans {
  /** Answers that nobody went on with, beside answers to the same question. Never have children. */
  readonly orphans: readonly Interaction[];
  /** Kept only because they came last: nobody went on with any answer of theirs, so the client may have seen another. */
  readonly unresolved: readonly Interaction[];
}

/**
 * What is left of a client's retries. Calls with one parent and equal input form a group. Where one of a group has
 * children, those without are orphans; where none has, all but the latest. In order of completion; linear in the
 * interactions.
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
