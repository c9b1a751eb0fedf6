import type { FindingSeverity } from '../finding';

export interface CatalogueEntry {
  readonly severity: FindingSeverity;
}

/** What people read about a finding. */
export interface FindingExample {
  /** One sentence. */
  readonly summary: string;
  /** A small DAG file with this finding. */
  readonly bad: string;
  /** The same file, corrected: without errors and without this finding. */
  readonly good: string;
}
