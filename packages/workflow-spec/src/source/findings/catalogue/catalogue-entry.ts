import type { FindingSeverity } from '../finding';

export interface CatalogueEntry {
  readonly severity: FindingSeverity;
  /** The summary is one sentence. */
  readonly summary: string;
}

export interface FindingExample {
  /** A small DAG file with this finding. */
  readonly bad: string;
  /** The same file, corrected: without errors and without this finding. */
  readonly good: string;
}
