import { AppError } from '@weir/foundation';
import type { RoutedExperts } from '@weir/rollout-core';
import type { TokenCollector } from './token-collector';

/**
 * The experts of an answer as they are kept: rows up to the last sampled token, which no layer has read. `undefined`
 * where some of them are missing.
 */
export function cutExperts({ experts, count }: TokenCollector, promptTokens: number): RoutedExperts | undefined {
  if (experts === undefined) return undefined;
  const width = experts.layers * experts.perToken;
  const rows = promptTokens + count - 1 - experts.from;
  if (rows * width > experts.ids.length) return undefined;
  return { ...experts, ids: experts.ids.slice(0, rows * width) };
}

export function expertsNotConfigured(): AppError {
  return new AppError('invalid_request', 'Experts are recorded where ROLLOUT_EXPERTS has their shape.', {
    reason: 'experts_not_configured',
  });
}
