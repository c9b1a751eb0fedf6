import { AppError } from '@weir/foundation';
import type { DiscountOptions } from '../rewards/discount-rewards';

export const exportStyles = ['individual', 'concat'] as const;

/** `individual`: a row for each interaction. `concat`: a row for each leaf, with its whole path. */
export type ExportStyle = (typeof exportStyles)[number];

/** What rows may have besides the tensors that every trainer needs. */
export type ExtraTensor =
  | 'loss_weights'
  | 'top_logprobs'
  | 'sampling_mask'
  | 'ref_logprobs'
  | 'ref_top_logprobs'
  | 'prompt_logprobs'
  | 'routed_experts';

export interface ExportOptions extends Omit<DiscountOptions, 'without'> {
  /** Default `individual`. */
  readonly style?: ExportStyle;
  /** Omits answers to repeated requests that were not continued. Default false; they are always reported. */
  readonly dropRetryOrphans?: boolean;
  /** Whether to fail, instead of leaving out, where anything is not proven. Default false. */
  readonly strict?: boolean;
  /** A reason for which nothing of the session is trained. Default: each call's own. */
  readonly quarantine?: string;
  /** Whether rows have `turn_ids`. Default true. */
  readonly turnIds?: boolean;
  /** Whether rows have `original_rewards`. Default true. */
  readonly originalRewards?: boolean;
  /** Further tensors of the rows. Default none. */
  readonly tensors?: readonly ExtraTensor[];
  /** The model whose scores `ref_…` tensors have. Default: the only one that scored the session. */
  readonly scorer?: string;
  /** Maximum number of tokens of all rows together, and of elements of a further tensor; `individual` repeats what interactions share. Default 134217728. */
  readonly maxTokens?: number;
}

export const maxTokensOf = ({ maxTokens = 134_217_728 }: ExportOptions): number => maxTokens;

/** A session that cannot be exported as it was sampled. A fault of this service: code `internal`. */
export const exportInvalid = (message: string): AppError =>
  new AppError('internal', message, { reason: 'export_invalid' });
