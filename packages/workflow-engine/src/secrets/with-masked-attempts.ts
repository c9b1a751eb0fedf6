import { rm } from 'node:fs/promises';
import { maskOutcome } from '../masking/mask-outcome';
import { stepOutputFile } from '../logs/log-layout';
import { streamCopies } from '../outputs/stream-copies';
import type { Masker } from '../masking/masker';
import type { StepExecutor } from '../scope/step-ports';
import type { DagRunStep } from '../run-model/dag-run';

export interface MaskedAttemptOptions {
  readonly steps: readonly Pick<DagRunStep, 'stdoutFile' | 'stderrFile'>[];
  /** Missing in a run without secrets. */
  readonly masker?: Masker | undefined;
}

/**
 * An executor whose outcomes hold no secret, before they are shortened or used, and that leaves no file beside the
 * logs: the copies of streams, and the file of outputs when it may hold a secret. To be put around what takes outputs.
 */
export function withMaskedAttempts(executor: StepExecutor, { steps, masker }: MaskedAttemptOptions): StepExecutor {
  return {
    execute: async (step, context) => {
      const files = steps[context.index];
      const leftovers = files === undefined ? [] : Object.values(streamCopies(step, files));
      if (files !== undefined && masker !== undefined) leftovers.push(stepOutputFile(files.stdoutFile));
      try {
        const outcome = await executor.execute(step, context);
        return masker === undefined ? outcome : maskOutcome(outcome, masker);
      } finally {
        for (const file of leftovers) await rm(file, { force: true, recursive: true });
      }
    },
  };
}
