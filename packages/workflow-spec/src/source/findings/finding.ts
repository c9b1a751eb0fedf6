export type FindingSeverity = 'error' | 'warning' | 'info';

/** A range of the text. Lines and columns count from 1; the end is exclusive. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** An edit of the text that resolves a finding. */
export interface Fix extends TextRange {
  /** Describes the edit for people: `Rename "command" to "run"`. */
  readonly title: string;
  /** The text that replaces the range. */
  readonly text: string;
}

/** A DAG file can run when it has no finding of severity `error`. */
export interface Finding extends TextRange {
  /** A stable snake_case word: `unknown_key`, `dependency_cycle`. */
  readonly code: string;
  readonly severity: FindingSeverity;
  /** RFC 6901 pointer into the document of the finding; empty for the document itself. */
  readonly path: string;
  readonly message: string;
  /** Byte offsets into the UTF-8 text, counted from 0; the end is exclusive. */
  readonly startByte: number;
  readonly endByte: number;
  /** Given only when the edit is almost certainly what the author meant. */
  readonly fix?: Fix;
}
