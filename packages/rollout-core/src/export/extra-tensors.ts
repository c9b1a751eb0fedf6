import { AppError } from '@weir/foundation';
import { createTensor, noId, noLogprob, type TrainingTensorDict } from '@weir/tensor-dict';
import type { Interaction } from '../cache/interaction';
import { sampledFrom, type PathSegment } from '../cache/path-tokens';
import type { LossWeights } from '../cache/loss-weights';
import type { ScoreBook, TokenScores } from '../cache/token-scores';
import { exportInvalid, type ExtraTensor } from './export-options';
import type { RoutedExperts, TopTokens } from '../sampled-tokens';
import { trainedSpans, type PlannedRow } from './export-plan';

type ExtraKeys = Partial<TrainingTensorDict>;

/** Makes the further tensors of a row. */
export type BuildExtraTensors = (row: PlannedRow) => ExtraKeys;

interface ExtraTensorOptions {
  readonly tensors: readonly ExtraTensor[];
  /** Of one tensor of all rows together. */
  readonly maxElements: number;
  readonly lossWeights: LossWeights;
  readonly scores: ScoreBook;
  /** The model whose scores `ref_…` tensors have. Default: the only one that scored the session. */
  readonly scorer: string | undefined;
}

/**
 * Prepares further tensors of rows, which have the same axes in all of them. Fails with `conflict`, reason
 * `tensor_not_recorded`, where no call that is trained has the values (for `ref_logprobs`: where one has none), with
 * `invalid_request`, reason `scorer_ambiguous`, and with `payload_too_large`, reason `export_too_large`, where a tensor of all rows together would have more than `maxElements`.
 */
export function prepareExtraTensors(rows: readonly PlannedRow[], options: ExtraTensorOptions): BuildExtraTensors {
  if (rows.length === 0) return () => ({});
  const tokens = rows.reduce((sum, { interaction }) => sum + interaction.pathTokens, 0);
  const context: Preparation = {
    ...options,
    rows,
    checkPerToken: (elements) => checkElements(tokens * elements, options.maxElements),
  };
  const parts = [...new Set(options.tensors)].map((tensor) => preparations[tensor](context));
  return (row) => Object.assign({}, ...parts.map((build) => build(row))) as ExtraKeys;
}

interface Preparation extends ExtraTensorOptions {
  /** At least one. */
  readonly rows: readonly PlannedRow[];
  /** Throws where tensors of so many elements for each token would be too large. */
  readonly checkPerToken: (elements: number) => void;
}

const preparations: Readonly<Record<ExtraTensor, (context: Preparation) => BuildExtraTensors>> = {
  loss_weights:
    ({ lossWeights }) =>
    (row) => ({ loss_weights: lossWeightTensor(row, lossWeights) }),
  top_logprobs: ({ rows, checkPerToken }) => {
    const topOf = ({ sampled }: Interaction) => sampled.top;
    const count = topCount(rows, topOf, 'top_logprobs');
    checkPerToken(count);
    return (row) => {
      const { ids, logprobs } = topTensors(row, topOf, count);
      return { top_ids: ids, top_logprobs: logprobs };
    };
  },
  sampling_mask: ({ rows, checkPerToken }) => {
    const width = maskWidth(rows);
    checkPerToken(width);
    return (row) => ({ sampling_mask: maskTensor(row, width) });
  },
  ref_logprobs: (context) => {
    const scoresOf = chosenScores(context);
    checkAllScored(context.rows, scoresOf);
    return (row) => ({ ref_logprobs: scoreTensor(row, scoresOf) });
  },
  ref_top_logprobs: (context) => {
    const scoresOf = chosenScores(context);
    const topOf = (interaction: Interaction) => scoresOf(interaction)?.top;
    const count = topCount(context.rows, topOf, 'ref_top_logprobs');
    context.checkPerToken(count);
    return (row) => {
      const { ids, logprobs } = topTensors(row, topOf, count);
      return { ref_top_ids: ids, ref_top_logprobs: logprobs };
    };
  },
  prompt_logprobs: ({ rows }) => {
    checkAllPrompts(rows);
    return (row) => ({ prompt_logprobs: promptTensor(row) });
  },
  routed_experts: ({ rows, checkPerToken }) => {
    const shape = expertShape(rows);
    checkPerToken(shape.layers * shape.perToken);
    return (row) => ({ routed_experts: expertTensor(row, shape) });
  },
};

function lossWeightTensor(row: PlannedRow, lossWeights: LossWeights) {
  const weights = new Float32Array(row.interaction.pathTokens);
  for (const { interaction, from, to } of trainedSpans(row)) {
    lossWeights.write(interaction.id, weights.subarray(from, to));
  }
  return createTensor('float32', [1, weights.length], weights);
}

type TopOf = (interaction: Interaction) => TopTokens | undefined;
type ScoresOf = (interaction: Interaction) => TokenScores | undefined;

/** The largest number of the likeliest tokens that a trained call has. */
function topCount(rows: readonly PlannedRow[], topOf: TopOf, tensor: ExtraTensor): number {
  const count = rows.reduce(
    (most, { trained }) => trained.reduce((max, interaction) => Math.max(max, topOf(interaction)?.count ?? 0), most),
    0,
  );
  if (count === 0) throw notRecorded(tensor);
  return count;
}

function topTensors(row: PlannedRow, topOf: TopOf, count: number) {
  const length = row.interaction.pathTokens;
  const ids = new Int32Array(length * count).fill(noId);
  const logprobs = new Float32Array(length * count).fill(noLogprob);
  for (const { interaction, from } of trainedSpans(row)) {
    const top = topOf(interaction);
    if (top !== undefined) copyTop(top, { ids, logprobs, count, from });
  }
  const shape = [1, length, count];
  return { ids: createTensor('int32', shape, ids), logprobs: createTensor('float32', shape, logprobs) };
}

interface TopTarget {
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  readonly count: number;
  /** The position of the first sampled token in the row. */
  readonly from: number;
}

/** Calls may have fewer entries than others of the session. */
function copyTop(top: TopTokens, { ids, logprobs, count, from }: TopTarget): void {
  for (let source = 0, target = from * count; source < top.ids.length; source += top.count, target += count) {
    ids.set(top.ids.subarray(source, source + top.count), target);
    logprobs.set(top.logprobs.subarray(source, source + top.count), target);
  }
}

/** A token without a mask would look as if nothing had been cut off, so that every call that is trained must have one. */
function maskWidth(rows: readonly PlannedRow[]): number {
  return rows.reduce(
    (most, { trained }) =>
      trained.reduce((width, { sampled: { mask } }) => {
        if (mask === undefined) throw notRecorded('sampling_mask');
        return mask.lengths.reduce((max, length) => Math.max(max, length), width);
      }, most),
    1,
  );
}

function maskTensor(row: PlannedRow, width: number) {
  const length = row.interaction.pathTokens;
  const ids = new Int32Array(length * width).fill(noId);
  for (const { interaction, from } of trainedSpans(row)) {
    const { mask } = interaction.sampled;
    let source = 0;
    mask?.lengths.forEach((count, token) => {
      ids.set(mask.ids.subarray(source, source + count), (from + token) * width);
      source += count;
    });
  }
  return createTensor('int32', [1, length, width], ids);
}

/** A token without a log-probability would look certain, so that all calls of a path must have theirs. */
function checkAllPrompts(rows: readonly PlannedRow[]): void {
  const isLacking = ({ interaction }: PathSegment): boolean =>
    interaction.contextIds.length > 0 && interaction.contextLogprobs === undefined;
  if (rows.some(({ segments }) => segments.some(isLacking))) throw notRecorded('prompt_logprobs');
}

function promptTensor({ segments, interaction }: PlannedRow) {
  const logprobs = new Float32Array(interaction.pathTokens);
  for (const segment of segments) {
    const { contextLogprobs } = segment.interaction;
    if (contextLogprobs !== undefined) {
      logprobs.set(contextLogprobs.subarray(0, sampledFrom(segment) - segment.from), segment.from);
    }
  }
  return createTensor('float32', [1, logprobs.length], logprobs);
}

type ExpertShape = Pick<RoutedExperts, 'layers' | 'perToken'>;

/** Training without the experts of some calls would not be a replay, so that every call that is trained must have them. */
function expertShape(rows: readonly PlannedRow[]): ExpertShape {
  const all = rows.flatMap(({ trained }) => trained.map(({ routedExperts }) => routedExperts));
  const [first] = all;
  if (first === undefined || all.includes(undefined)) throw notRecorded('routed_experts');
  if (all.some((one) => one?.layers !== first.layers || one.perToken !== first.perToken)) {
    throw exportInvalid('Calls of the session have experts of different models.');
  }
  return first;
}

/** A later call overwrites what it has read again. */
function expertTensor({ segments, interaction }: PlannedRow, { layers, perToken }: ExpertShape) {
  const width = layers * perToken;
  const ids = new Int16Array(interaction.pathTokens * width).fill(noId);
  for (const { interaction: owner, to } of segments) {
    const experts = owner.routedExperts;
    if (experts === undefined || experts.layers !== layers || experts.perToken !== perToken) continue;
    ids.set(experts.ids.subarray(0, Math.max(0, to - experts.from) * width), experts.from * width);
  }
  return createTensor('int16', [1, interaction.pathTokens, layers, perToken], ids);
}

/** The scores of the model that the export names, or of the only one. */
function chosenScores({ scores, scorer }: Preparation): ScoresOf {
  const known = scores.scorers();
  const chosen = scorer ?? (known.length === 1 ? known[0] : undefined);
  if (chosen !== undefined) return ({ id }) => scores.get(chosen, id);
  if (known.length === 0) throw notRecorded('ref_logprobs');
  throw new AppError('invalid_request', 'Several models have scored the session: name one.', {
    reason: 'scorer_ambiguous',
    details: { scorers: known },
  });
}

/** Tokens without a score would look certain, so that every call that is trained must have them. */
function checkAllScored(rows: readonly PlannedRow[], scoresOf: ScoresOf): void {
  if (rows.some(({ trained }) => trained.some((one) => one.sampled.ids.length > 0 && scoresOf(one) === undefined))) {
    throw notRecorded('ref_logprobs');
  }
}

function scoreTensor(row: PlannedRow, scoresOf: ScoresOf) {
  const logprobs = new Float32Array(row.interaction.pathTokens);
  for (const { interaction, from } of trainedSpans(row)) {
    logprobs.set(scoresOf(interaction)?.logprobs ?? new Float32Array(0), from);
  }
  return createTensor('float32', [1, logprobs.length], logprobs);
}

function checkElements(elements: number, maxElements: number): void {
  if (elements <= maxElements) return;
  throw new AppError('payload_too_large', `A tensor of the rows would have more than ${maxElements} elements.`, {
    reason: 'export_too_large',
    details: { elements, maxElements },
  });
}

function notRecorded(tensor: ExtraTensor): AppError {
  return new AppError('conflict', `Calls that are trained have not recorded what "${tensor}" needs.`, {
    reason: 'tensor_not_recorded',
    details: { tensor },
  });
}
