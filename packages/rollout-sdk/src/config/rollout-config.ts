import { AppError } from '@weir/foundation';
import { z } from 'zod';

export const agentModes = ['inline', 'subproc'] as const;
/** The place where agents run: `inline` as coroutines of the trainer's process, `subproc` in a pool of processes. */
export type AgentMode = (typeof agentModes)[number];

/** The section of a trainer's configuration that this package reads. Other keys are ignored. */
export const RolloutSettings = z.looseObject({
  rollout: z
    .looseObject({
      llm: z
        .looseObject({
          mode: z.enum(agentModes).default('inline'),
          subproc_max_workers: z.int().min(1).max(1024).default(4),
        })
        .prefault({}),
    })
    .prefault({}),
});

export interface RolloutConfig {
  readonly mode: AgentMode;
  /** Size of the pool of processes. */
  readonly subprocMaxWorkers: number;
}

/**
 * Reads `rollout.llm.mode` and `rollout.llm.subproc_max_workers`. Throws `invalid_request`, reason `config_invalid`.
 */
export function readRolloutConfig(settings: unknown): RolloutConfig {
  const parsed = RolloutSettings.safeParse(settings ?? {});
  if (!parsed.success) {
    throw new AppError('invalid_request', `The configuration is not valid. ${z.prettifyError(parsed.error)}`, {
      reason: 'config_invalid',
    });
  }
  const { mode, subproc_max_workers: subprocMaxWorkers } = parsed.data.rollout.llm;
  return { mode, subprocMaxWorkers };
}
