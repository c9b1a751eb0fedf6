import type { ActionsRuntime } from './actions-runtime';

/** A summary that cannot be written must not change the result of the step. */
export function publishSummary(runtime: ActionsRuntime, markdown: string): void {
  try {
    runtime.writeSummary(markdown);
  } catch {
    runtime.warning(
      'The step summary could not be written, often because the disk is full. The credentials are not affected.',
    );
  }
}
