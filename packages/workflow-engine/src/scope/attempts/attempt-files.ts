import { rm } from 'node:fs/promises';
import type { Step } from '@weir/workflow-spec';
import { stepOutputFile, type StepLogFiles } from '../../model/run-model/log-layout';
import { streamCopies } from '../../values/outputs/stream-copies';

/**
 * Removes what an attempt leaves in the folder of the logs once its outputs are collected: the copies of streams, and
 * the file of outputs when it may hold a secret.
 */
export async function removeAttemptFiles(
  step: Step,
  { stdoutFile, stderrFile }: StepLogFiles,
  { mayHoldSecrets }: { readonly mayHoldSecrets: boolean },
): Promise<void> {
  const files = Object.values(streamCopies(step, { stdoutFile, stderrFile }));
  if (mayHoldSecrets) files.push(stepOutputFile(stdoutFile));
  for (const file of files) await rm(file, { force: true, recursive: true });
}
