import type { Step } from '@weir/workflow-spec';
import type { StepLogFiles } from '../logs/log-layout';

/**
 * Files that the streams of an attempt go to beside a log that both share: only those that something is taken from,
 * since the log does not tell which stream a line came from. They are gone once the attempt's outputs are taken.
 */
export function streamCopies(step: Step, { stdoutFile, stderrFile }: StepLogFiles): Partial<StepLogFiles> {
  if (stdoutFile !== stderrFile) return {};
  const base = stdoutFile.replace(/\.log$/, '');
  return {
    ...(isRead(step, 'stdout') ? { stdoutFile: `${base}.stdout` } : {}),
    ...(isRead(step, 'stderr') ? { stderrFile: `${base}.stderr` } : {}),
  };
}

/** Where the outputs of an attempt are taken from: each stream by itself. */
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
