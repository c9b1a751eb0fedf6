import { lenientMatching } from '@weir/rollout-core';
import { maxRecordedTop } from '@weir/rollout-engine';
import type { Variables } from '@weir/service-kit';
import { matchingPresetsValue, onOrOff, presetNames, seconds, wholeNumber } from './config-values';

/** These limit the number of sessions and their retention, and set what is recorded of calls and how they are matched. */
export const sessionVariables = {
  ROLLOUT_CAPACITY: {
    schema: wholeNumber(1, 1_000_000).default(256),
    defaultText: '`256`',
    description: 'Maximum number of unused grants and unfinished sessions together.',
  },
  ROLLOUT_SESSION_IDLE_SECONDS: {
    schema: seconds.default(3600),
    defaultText: '`3600`',
    description: 'An idle session is ended after this time; its interactions can still be exported.',
  },
  ROLLOUT_ADAPTER_IDLE_SECONDS: {
    schema: seconds.default(600),
    defaultText: '`600`',
    description: 'How long a LoRA adapter without an unfinished session stays loaded at the engine.',
  },
  ROLLOUT_ENDED_RETENTION_SECONDS: {
    schema: seconds.default(86_400),
    defaultText: '`86400`',
    description: 'How long an ended session is retained for its export.',
  },
  ROLLOUT_EXPORT_RETENTION_SECONDS: {
    schema: seconds.default(3600),
    defaultText: '`3600`',
    description: 'How long an exported session is retained without an acknowledgement.',
  },
  ROLLOUT_END_WAIT_SECONDS: {
    schema: wholeNumber(0, 3600).default(10),
    defaultText: '`10`',
    description: 'How long the end of a session waits for running model calls before it aborts them.',
  },
  ROLLOUT_GRANT_SECONDS: {
    schema: seconds.default(600),
    defaultText: '`600`',
    description: 'How long an unused grant is valid.',
  },
  ROLLOUT_IDEMPOTENCY_SECONDS: {
    schema: seconds.default(86_400),
    defaultText: '`86400`',
    description: 'How long answers under an idempotency key are stored.',
  },
  ROLLOUT_RECORD_TOP_LOGPROBS: {
    schema: wholeNumber(0, maxRecordedTop).default(0),
    defaultText: '`0`',
    description:
      'How many of the likeliest tokens are recorded with their log-probabilities at each sampled position, 8 bytes each. Sessions and calls may ask for another number.',
  },
  ROLLOUT_RECORD_ROUTED_EXPERTS: {
    schema: onOrOff('off'),
    defaultText: '`off`',
    description:
      'Whether the experts that the layers of the model chose for each token are recorded. Needs `ROLLOUT_EXPERTS`. Sessions and calls may say otherwise.',
  },
  ROLLOUT_RECORD_SAMPLING_MASK: {
    schema: onOrOff('off'),
    defaultText: '`off`',
    description:
      'Whether the tokens that top-k and other cut-offs left to sample from are recorded, 4 bytes each. Needs `sglang` or `vllm-generate`. Sessions and calls may say otherwise.',
  },
  ROLLOUT_MATCH: {
    schema: matchingPresetsValue.default(lenientMatching),
    defaultText: 'all',
    description: `Presets of what may differ between an answer and the message that a client sends back: ${presetNames.join(', ')}; or exact for none. Separated by commas.`,
  },
} as const satisfies Variables;
