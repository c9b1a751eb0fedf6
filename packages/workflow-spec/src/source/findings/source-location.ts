/** Start and exclusive end, in UTF-16 code units of the text. */
export type Offsets = readonly [start: number, end: number];

export interface SourceLocation {
  readonly range: Offsets;
  readonly path: string;
}

/** An edit of the text that resolves a finding. */
export interface SuggestedFix {
  readonly title: string;
  readonly text: string;
  /** The range to replace; default: the range of the finding. */
  readonly range?: Offsets;
}
