import { AppError } from '@weir/foundation';
import { noId } from '@weir/tensor-dict';
import type { Message } from '../conversation/message';
import type { Interaction, InteractionDraft } from './interaction';
import { collectPathIds } from './path-tokens';
import type { RoutedExperts, SampledTokens, SamplingMask, TopTokens } from '../sampled-tokens';

interface RecordKeys {
  readonly index: number;
  readonly inputKey: string;
}

/** The draft must have been checked. */
export function createInteraction(draft: InteractionDraft, keys: RecordKeys): Interaction {
  const { parent, newMessages, inheritedTokens, sampled } = draft;
  return Object.freeze({
    ...draft,
    ...keys,
    contextIds: detach(draft.contextIds),
    sampled: detachSampled(sampled),
    ...(draft.contextLogprobs === undefined ? {} : { contextLogprobs: detach(draft.contextLogprobs) }),
    ...(draft.routedExperts === undefined ? {} : { routedExperts: detachExperts(draft.routedExperts) }),
    pathMessages: (parent?.pathMessages ?? 0) + newMessages.length + 1,
    pathTokens: inheritedTokens + draft.contextIds.length + sampled.ids.length,
    pathPosition: parent === undefined || inheritedTokens === 0 ? 0 : parent.pathPosition + 1,
    get messages() {
      return allMessages(parent, newMessages);
    },
  });
}

function detachSampled({ ids, logprobs, versions, top, mask }: SampledTokens): SampledTokens {
  return {
    ids: detach(ids),
    logprobs: detach(logprobs),
    versions: detach(versions),
    ...(mask === undefined ? {} : { mask: { lengths: detach(mask.lengths), ids: detach(mask.ids) } }),
    ...(top === undefined ? {} : { top: { ...top, ids: detach(top.ids), logprobs: detach(top.logprobs) } }),
  };
}

const detachExperts = (experts: RoutedExperts): RoutedExperts => ({ ...experts, ids: detach(experts.ids) });

/** A view would retain its whole buffer in memory. */
const detach = <A extends Int32Array | Float32Array | Int16Array>(array: A): A =>
  // `slice` of either kind of array gives that kind, which its declared type does not say.
  array.byteLength === array.buffer.byteLength ? array : (array.slice() as A);

function allMessages(parent: Interaction | undefined, newMessages: readonly Message[]): readonly Message[] {
  const stretches: (readonly Message[])[] = [newMessages];
  for (let current = parent; current !== undefined; current = current.parent) {
    stretches.push([current.output], current.newMessages);
  }
  return stretches.reverse().flat();
}

/**
 * Rejects a draft that could not be exported as it was sampled. These are faults of the caller, not of a client: code
 * `internal`, reason `interaction_invalid`. Messages contain neither ids nor text.
 */
export function checkDraft(draft: InteractionDraft): void {
  const { parent, inheritedTokens, contextIds, sampled } = draft;
  const { ids, logprobs, versions } = sampled;
  if (ids.length !== logprobs.length || ids.length !== versions.length) {
    throw invalid('Ids, log-probabilities and versions of an answer have different lengths.');
  }
  if (draft.contextLogprobs !== undefined) checkContextLogprobs(draft.contextLogprobs, contextIds.length);
  if (draft.routedExperts !== undefined) checkExperts(draft.routedExperts, draft);
  if (sampled.mask !== undefined) checkMask(sampled.mask, ids.length);
  if (sampled.top !== undefined) checkTop(sampled.top, ids.length);
  const available = parent?.pathTokens ?? 0;
  if (!Number.isSafeInteger(inheritedTokens) || inheritedTokens < 0 || inheritedTokens > available) {
    throw invalid('A call inherits more tokens than its parent has.');
  }
  if (inheritedTokens + contextIds.length === 0) throw invalid('A call has no prompt tokens.');
  if (contextIds.some(isNegative) || ids.some(isNegative)) throw invalid('A token id is negative.');
  if (logprobs.some((logprob) => !Number.isFinite(logprob))) throw invalid('A log-probability is not finite.');
}

function checkMask({ lengths, ids }: SamplingMask, tokens: number): void {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (lengths.length === tokens && !lengths.some(isNegative) && total === ids.length && !ids.some(isNegative)) return;
  throw invalid('The sampling masks of an answer are not those of its tokens.');
}

function checkContextLogprobs(logprobs: Float32Array, tokens: number): void {
  if (logprobs.length === tokens && logprobs.every(Number.isFinite)) return;
  throw invalid('The log-probabilities of a prompt are not those of its tokens.');
}

function checkExperts({ from, layers, perToken, ids }: RoutedExperts, draft: InteractionDraft): void {
  const { inheritedTokens, contextIds, sampled } = draft;
  const rows = ids.length / (layers * perToken);
  const end = inheritedTokens + contextIds.length + sampled.ids.length;
  if (!Number.isSafeInteger(rows) || !Number.isSafeInteger(from) || from < 0 || from + rows > end) {
    throw invalid('The experts of a call are not those of its tokens.');
  }
}

/** Rejects the likeliest tokens of so many positions like `checkDraft`. */
export function checkTop({ count, ids, logprobs }: TopTokens, tokens: number): void {
  if (!Number.isSafeInteger(count) || count < 1 || ids.length !== tokens * count || logprobs.length !== ids.length) {
    throw invalid('The likeliest tokens of an answer are not as many as its tokens need.');
  }
  if (ids.some((id) => id < noId) || !logprobs.every(Number.isFinite)) {
    throw invalid('The likeliest tokens of an answer have an id or a log-probability that is none.');
  }
}

/** Throws unless the prompt that was sent equals the stored one, token by token. */
export function checkPrompt(interaction: Interaction, promptIds: Int32Array): void {
  const stored = collectPathIds(interaction).subarray(0, interaction.pathTokens - interaction.sampled.ids.length);
  if (stored.length !== promptIds.length || Buffer.compare(toBuffer(stored), toBuffer(promptIds)) !== 0) {
    throw invalid('The prompt that was sent differs from the stored one.');
  }
}

const isNegative = (value: number): boolean => value < 0;

const toBuffer = (ids: Int32Array): Buffer => Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength);

const invalid = (message: string): AppError => new AppError('internal', message, { reason: 'interaction_invalid' });
