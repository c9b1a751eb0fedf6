export type FindingSeverity = 'error' | 'warning' | 'info';

/** Where a finding is, in the text as given. Lines and columns count from 1; the end is exclusive. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A change of the text that mends what a finding is about. */
export interface Fix extends TextRange {
  /** What it does, for people: `Rename "command" to "run"`. */
  readonly title: string;
  /** What the range is replaced by. */
  readonly text: string;
}

/** One thing to say about a DAG file. A file can run when it has no finding of severity `error`. */
export interface Finding extends TextRange {
  /** Stable snake_case word: `unknown_key`, `dependency_cycle`. */
  readonly code: string;
  readonly severity: FindingSeverity;
  /** RFC 6901 pointer into the document that holds the finding; empty for the document itself. */
  readonly path: string;
  readonly message: string;
  /** Where the finding begins and ends in the UTF-8 form of the text, counted in bytes from 0; the end is exclusive. */
  readonly startByte: number;
  readonly endByte: number;
  /** Only where one change is sure to be what its author meant, or nearly so. */
  readonly fix?: Fix;
}
