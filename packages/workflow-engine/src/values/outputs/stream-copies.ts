import type { Step } from '@weir/workflow-spec';
import type { StepLogFiles } from '../../model/run-model/log-layout';

/**
 * Files that receive a copy of a stream when both streams share one log, which does not distinguish them: only for streams
 * from which outputs are read. They are deleted once the outputs of the attempt are collected.
 */
export function streamCopies(step: Step, { stdoutFile, stderrFile }: StepLogFiles): Partial<StepLogFiles> {
  if (stdoutFile !== stderrFile) return {};
  const base = stdoutFile.replace(/\.log$/, '');
  return {
    ...(isRead(step, 'stdout') ? { stdoutFile: `${base}.stdout` } : {}),
    ...(isRead(step, 'stderr') ? { stderrFile: `${base}.stderr` } : {}),
  };
}

/** The files from which outputs of an attempt are read, one for each stream. */
export function outputStreams(step: Step, files: StepLogFiles): StepLogFiles {
  const { stdoutFile, stderrFile } = files;
  return { stdoutFile, stderrFile, ...streamCopies(step, files) };
}

function isRead(step: Step, stream: 'stdout' | 'stderr'): boolean {
  const { output, outputSchema } = step;
  const readsText = output?.kind === 'fields' ? output.fields.some(({ source }) => source.kind === stream) : false;
  const readsStdout = output?.kind === 'variable' || outputSchema !== undefined;
  return step[stream] !== undefined || readsText || (stream === 'stdout' && readsStdout);
}
