import type { TokensResponse } from '@weir/rollout-contract';
import { describePath, tokenSources, type Interaction, type PathDetail } from '@weir/rollout-core';
import type { Tokenizer } from '@weir/rollout-engine';
import { createTensor, writeSafetensors, type TensorDict } from '@weir/tensor-dict';
import type { Session } from '../sessions';

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

export function presentTokens(session: Session, interaction: Interaction, table: TokenTable): PresentedTokens {
  const path = describePath(interaction);
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
      logprobs: Array.from(path.logprobs, (logprob) => (Number.isNaN(logprob) ? null : logprob)),
      versions: [...path.versions],
      loss_mask: [...mask],
      sources: [...path.sources],
      turns: [...path.turns],
      control: [...control],
      byte_offsets: [...pathBytes.offsets],
      bytes: Buffer.from(pathBytes.bytes).toString('base64'),
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(pathBytes.bytes),
    }),
    toSafetensors: () =>
      writeSafetensors(toTensors(path, { mask, control, pathBytes }), {
        metadata: {
          session_id: session.id,
          interaction_id: interaction.id,
          segments: JSON.stringify(segments),
          byte_length: String(pathBytes.bytes.length),
        },
      }),
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
