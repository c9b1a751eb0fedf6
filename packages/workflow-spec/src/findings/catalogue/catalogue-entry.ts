import type { FindingSeverity } from '../finding';

/** What is known of one code. */
export interface CatalogueEntry {
  readonly severity: FindingSeverity;
  /** One sentence. */
  readonly summary: string;
  /** A small DAG file that yields the code. */
  readonly bad: string;
  /** The same file mended: it yields no error, and not the code. */
  readonly good: string;
}
