import type { StatusKind } from '@weir/ui-kit';

/** A step in the form for the graph. */
export interface GraphStep {
  readonly name: string;
  readonly depends: readonly string[];
  /** Without a status, the graph shows a DAG and not a run. */
  readonly status?: StatusKind | undefined;
  /** The kind of work in a word or two, such as the name of its action. */
  readonly kind?: string | undefined;
  /** The duration; missing until the step has ended, and where it did not run. */
  readonly durationMs?: number | undefined;
}
