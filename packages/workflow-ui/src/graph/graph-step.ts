import type { StatusKind } from '@weir/ui-kit';

/** A step as the graph shows it. */
export interface GraphStep {
  readonly name: string;
  readonly depends: readonly string[];
  /** Without one, the graph is that of a DAG and not of a run. */
  readonly status?: StatusKind | undefined;
  /** What the step does, in a word or two, such as the name of its action. */
  readonly kind?: string | undefined;
  /** How long it took; missing as long as it has not ended, and where it did not run. */
  readonly durationMs?: number | undefined;
}
