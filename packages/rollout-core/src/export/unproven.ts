import { AppError } from '@weir/foundation';
import type { Interaction } from '../cache/interaction';

export interface Unproven {
  readonly id: string;
  readonly reason: string;
}

interface UnprovenInput {
  readonly interactions: Iterable<Interaction>;
  /** The reason of all calls that have no reason of their own. */
  readonly quarantine: string | undefined;
  /** Calls that are not exported. */
  readonly dropped: ReadonlySet<string>;
  /** Answers for which it is unknown whether the client saw them. */
  readonly unresolved: readonly Interaction[];
}

const maxListed = 100;

/** Throws `conflict` (reason `export_unproven`) for a session with anything unproven, and names it with the reason. */
export function assertProven(input: UnprovenInput): void {
  const unproven = findUnproven(input);
  if (unproven.length === 0) return;
  throw new AppError('conflict', `${unproven.length} calls of the session are not proven; nothing was exported.`, {
    reason: 'export_unproven',
    details: { unproven: unproven.slice(0, maxListed) },
  });
}

function findUnproven({ interactions, quarantine, dropped, unresolved }: UnprovenInput): readonly Unproven[] {
  const doubtful = new Set(unresolved);
  return [...interactions].flatMap((interaction) => {
    const { id } = interaction;
    if (dropped.has(id)) return [];
    const reason = findDoubt(interaction, quarantine) ?? (doubtful.has(interaction) ? 'answer_unresolved' : undefined);
    return reason === undefined ? [] : [{ id, reason }];
  });
}

function findDoubt({ quarantine, provenance, sampled }: Interaction, common: string | undefined): string | undefined {
  const reason = quarantine ?? common;
  if (reason !== undefined) return reason;
  if (provenance === undefined) return 'provenance_missing';
  if (provenance.tokenizerParity !== 'equal') return 'tokenizer_unproven';
  if (provenance.logprobs !== 'processed' && provenance.logprobs !== 'raw') return 'logprobs_unproven';
  return sampled.versions.some((version) => version < 0) ? 'version_unknown' : undefined;
}
