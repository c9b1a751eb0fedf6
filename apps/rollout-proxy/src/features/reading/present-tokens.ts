import type { TokensResponse } from '@weir/rollout-contract';
import {
  describePath,
  describeRecorded,
  tokenSources,
  type Interaction,
  type PathDetail,
  type RecordedDetail,
} from '@weir/rollout-core';
import type { Tokenizer } from '@weir/rollout-engine';
import { createTensor, writeSafetensors, type TensorDict } from '@weir/tensor-dict';
import type { Digests, Session } from '../sessions';

/** The part of a tokenizer that presents tokens. */
export type TokenTable = Pick<Tokenizer, 'tokenBytes' | 'isControl'>;

interface PathBytes {
  /** One more than there are tokens. */
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/** The tokens of an interaction, from the first one of its path. */
export interface PresentedTokens {
  toJson(): TokensResponse;
  toSafetensors(): Uint8Array;
}

export interface TokenKnowledge {
  readonly table: TokenTable;
  readonly digests: Pick<Digests, 'entropies'>;
}

export function presentTokens(
  session: Session,
  interaction: Interaction,
  { table, digests }: TokenKnowledge,
): PresentedTokens {
  const path = describePath(interaction);
  const recorded = describeRecorded(interaction, session.cache, (one) => digests.entropies(one));
  const pathBytes = readBytes(path.ids, table);
  const isTrained = interaction.quarantine === undefined && session.damagedBytes === 0;
  const mask = Uint8Array.from(path.sources, (source) => Number(isTrained && source === tokenSources.sampled));
  const control = Uint8Array.from(path.ids, (id) => Number(table.isControl(id)));
  const segments = presentSegments(path, interaction);
  return {
    toJson: () => ({
      session_id: session.id,
      interaction_id: interaction.id,
      segments,
      ids: [...path.ids],
      logprobs: toNullable(path.logprobs),
      versions: [...path.versions],
      loss_mask: [...mask],
      sources: [...path.sources],
      turns: [...path.turns],
      control: [...control],
      byte_offsets: [...pathBytes.offsets],
      bytes: Buffer.from(pathBytes.bytes).toString('base64'),
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(pathBytes.bytes),
      ...presentRecorded(recorded),
    }),
    toSafetensors: () =>
      writeSafetensors(
        { ...toTensors(path, { mask, control, pathBytes }), ...recordedTensors(recorded) },
        {
          metadata: {
            session_id: session.id,
            interaction_id: interaction.id,
            segments: JSON.stringify(segments),
            alternatives: String(recorded.alternatives),
            byte_length: String(pathBytes.bytes.length),
          },
        },
      ),
  };
}

/** JSON has no NaN. */
const toNullable = (list: Float32Array): (number | null)[] =>
  Array.from(list, (value) => (Number.isNaN(value) ? null : value));

type PresentedRecord = Pick<
  TokensResponse,
  'alternatives' | 'entropies' | 'prompt_logprobs' | 'mask_sizes' | 'loss_weights' | 'scores'
>;

function presentRecorded(recorded: RecordedDetail): PresentedRecord {
  const { alternatives, entropies, promptLogprobs, maskSizes, lossWeights, scores } = recorded;
  return {
    alternatives,
    ...(entropies && { entropies: toNullable(entropies) }),
    ...(promptLogprobs && { prompt_logprobs: toNullable(promptLogprobs) }),
    ...(maskSizes && { mask_sizes: Array.from(maskSizes, (size) => (size < 0 ? null : size)) }),
    ...(lossWeights && { loss_weights: toNullable(lossWeights) }),
    ...(scores.size > 0 && {
      scores: Object.fromEntries([...scores].map(([scorer, list]) => [scorer, toNullable(list)])),
    }),
  };
}

function recordedTensors(recorded: RecordedDetail): TensorDict {
  const { entropies, promptLogprobs, maskSizes, lossWeights, scores } = recorded;
  const floats = (list: Float32Array) => createTensor('float32', [list.length], list);
  return {
    ...(entropies && { entropies: floats(entropies) }),
    ...(promptLogprobs && { prompt_logprobs: floats(promptLogprobs) }),
    ...(maskSizes && { mask_sizes: createTensor('int32', [maskSizes.length], maskSizes) }),
    ...(lossWeights && { loss_weights: floats(lossWeights) }),
    ...Object.fromEntries([...scores].map(([scorer, list]) => [`scores.${scorer}`, floats(list)])),
  };
}

interface TokenMarks {
  readonly mask: Uint8Array;
  readonly control: Uint8Array;
  readonly pathBytes: PathBytes;
}

function toTensors(path: PathDetail, { mask, control, pathBytes }: TokenMarks): TensorDict {
  const integers = (data: Int32Array) => createTensor('int32', [data.length], data);
  const flags = (data: Uint8Array) => createTensor('bool', [data.length], data);
  return {
    ids: integers(path.ids),
    logprobs: createTensor('float32', [path.logprobs.length], path.logprobs),
    versions: integers(path.versions),
    sources: integers(path.sources),
    turns: integers(path.turns),
    byte_offsets: integers(pathBytes.offsets),
    bytes: integers(packBytes(pathBytes.bytes)),
    loss_mask: flags(mask),
    control: flags(control),
  };
}

function readBytes(ids: Int32Array, table: TokenTable): PathBytes {
  const offsets = new Int32Array(ids.length + 1);
  ids.forEach((id, at) => (offsets[at + 1] = (offsets[at] ?? 0) + table.tokenBytes(id).length));
  const bytes = new Uint8Array(offsets.at(-1) ?? 0);
  ids.forEach((id, at) => bytes.set(table.tokenBytes(id), offsets[at]));
  return { offsets, bytes };
}

/** Tensors have no dtype for bytes: four of them in each element. */
function packBytes(bytes: Uint8Array): Int32Array {
  const packed = new Int32Array(Math.ceil(bytes.length / 4));
  const view = new DataView(packed.buffer);
  bytes.forEach((byte, at) => view.setUint8(at, byte));
  return packed;
}

function presentSegments({ segments }: PathDetail, interaction: Interaction): TokensResponse['segments'] {
  return segments.map(({ interaction: owner, from, to }) => ({
    interaction_id: owner.id,
    from,
    sampled_from: Math.min(to, owner.inheritedTokens + owner.contextIds.length),
    to: owner === interaction ? interaction.pathTokens : to,
  }));
}
