import { rename, stat } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import type { DagRunStep } from '../../model/run-model/dag-run';
import { previousLogFile } from '../../values/run-values/step-info';
import { logTimesFile } from './log-times';

/** Renames the logs of work that was pushed back, once per push-back. */
export async function archivePreviousLogs(step: DagRunStep): Promise<void> {
  if (step.iteration === 0) return;
  for (const file of new Set([step.stdoutFile, step.stderrFile, logTimesFile(step.stdoutFile)])) {
    const archived = previousLogFile(file, step.iteration);
    if (!(await exists(archived))) await renameIfThere(file, archived);
  }
}

async function exists(file: string): Promise<boolean> {
  return (await unlessMissing(stat(file))) !== undefined;
}

async function renameIfThere(file: string, target: string): Promise<void> {
  await unlessMissing(rename(file, target));
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
