import type { Variables } from '@weir/service-kit';
import { wholeNumber } from './config-values';

const mebibyte = 1024 * 1024;

/** Bounds of what requests and sessions may take. */
export const limitVariables = {
  ROLLOUT_CONTEXT_TOKENS: {
    schema: wholeNumber(16, 100_000_000).optional(),
    defaultText: 'reported by the engine',
    description: 'Maximum number of tokens of a prompt and its answer together. Not more than what the engine reports.',
  },
  ROLLOUT_MAX_TURN_TOKENS: {
    schema: wholeNumber(1, 100_000_000).default(8192),
    defaultText: '`8192`',
    description: 'Maximum number of tokens of one completion; also the default for requests without a limit.',
  },
  ROLLOUT_MAX_SESSION_TOKENS: {
    schema: wholeNumber(1, 1_000_000_000).default(10_000_000),
    defaultText: '`10000000`',
    description: 'Maximum number of tokens sampled in one session.',
  },
  ROLLOUT_MAX_BODY_BYTES: {
    schema: wholeNumber(1024, 1024 * mebibyte).default(64 * mebibyte),
    defaultText: '`67108864`',
    description: 'Maximum size of a request body.',
  },
  ROLLOUT_MAX_SESSIONS: {
    schema: wholeNumber(1, 1_000_000).default(10_000),
    defaultText: '`10000`',
    description: 'Maximum number of sessions, including those that wait for an export or an acknowledgement.',
  },
  ROLLOUT_MAX_ADAPTERS: {
    schema: wholeNumber(1, 1000).default(16),
    defaultText: '`16`',
    description:
      'Maximum number of LoRA adapters that all processes together have loaded at the engine for their sessions; the engine has a limit of its own.',
  },
  ROLLOUT_MAX_INTERACTIONS: {
    schema: wholeNumber(1, 1_000_000).default(10_000),
    defaultText: '`10000`',
    description: 'Maximum number of model calls in one session.',
  },
  ROLLOUT_MAX_SESSION_BYTES: {
    schema: wholeNumber(1024, 1024 * 1024 * mebibyte).default(256 * mebibyte),
    defaultText: '`268435456`',
    description: 'Maximum size of one session in memory.',
  },
  ROLLOUT_MAX_BYTES: {
    schema: wholeNumber(1024, 1024 * 1024 * mebibyte).default(2048 * mebibyte),
    defaultText: '`2147483648`',
    description: 'Maximum size of all sessions in memory together.',
  },
} as const satisfies Variables;
