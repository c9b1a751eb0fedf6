import type { Interaction } from '../cache/interaction';
import { isWhole, pathSegments, sampledFrom, type PathSegment } from '../cache/path-tokens';
import { exportInvalid, type ExportStyle } from './export-options';

/** A row to build from the whole path of an interaction. */
export interface PlannedRow {
  /** The last interaction, whose reward the row has. */
  readonly interaction: Interaction;
  readonly segments: readonly PathSegment[];
  /** The interactions whose sampled tokens are trained in this row only. In order. */
  readonly trained: readonly Interaction[];
}

/** Consecutive trained tokens of a row. */
export interface TrainedSpan {
  readonly interaction: Interaction;
  /** Positions in the row, half open. */
  readonly from: number;
  readonly to: number;
}

/** The positions of the trained tokens of a row, in order. */
export function trainedSpans({ segments, trained }: PlannedRow): readonly TrainedSpan[] {
  const owners = new Set(trained);
  return segments
    .filter(({ interaction }) => owners.has(interaction))
    .map((segment) => ({ interaction: segment.interaction, from: sampledFrom(segment), to: segment.to }));
}

/**
 * Plans the rows and which interactions each one trains. `trainable` is in order of completion, each interaction after
 * its parent.
 */
export function planRows(trainable: readonly Interaction[], style: ExportStyle): readonly PlannedRow[] {
  for (const interaction of trainable) checkContinuation(interaction);
  if (style === 'individual') {
    return trainable.map((interaction) => ({
      interaction,
      segments: pathSegments(interaction),
      trained: [interaction],
    }));
  }
  const mayTrain = new Set(trainable);
  const owned = new Set<Interaction>();
  return findLeaves(trainable).map((interaction) => {
    const segments = pathSegments(interaction);
    const trained = segments
      .filter((segment) => isWhole(segment) && mayTrain.has(segment.interaction) && !owned.has(segment.interaction))
      .map((segment) => segment.interaction);
    for (const one of trained) owned.add(one);
    return { interaction, segments, trained };
  });
}

/**
 * Finds interactions whose path is not part of another row. Iterates backwards, so that descendants come first; the
 * ancestors of a covered interaction are covered already, so only leaves walk up.
 */
function findLeaves(trainable: readonly Interaction[]): readonly Interaction[] {
  const covered = new Set<Interaction>();
  const leaves: Interaction[] = [];
  for (const interaction of [...trainable].reverse()) {
    if (covered.has(interaction)) continue;
    leaves.push(interaction);
    for (const segment of pathSegments(interaction)) if (isWhole(segment)) covered.add(segment.interaction);
  }
  return leaves.reverse();
}

/** A row must consist of what was sampled: a child begins with tokens of its parent's path. */
function checkContinuation({ parent, inheritedTokens, contextIds, sampled, pathTokens }: Interaction): void {
  if (inheritedTokens > (parent?.pathTokens ?? 0)) throw exportInvalid('A call inherits tokens its parent lacks.');
  if (pathTokens !== inheritedTokens + contextIds.length + sampled.ids.length) {
    throw exportInvalid('The path of a call is not as long as its parts.');
  }
  if (sampled.ids.length !== sampled.logprobs.length || sampled.ids.length !== sampled.versions.length) {
    throw exportInvalid('Ids, log-probabilities and versions of an answer have different lengths.');
  }
}
