/** Replaces the characters from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type FindingCode =
  | 'name'
  | 'input_unneeded'
  | 'input_renamed'
  | 'input_unknown'
  | 'input_added'
  | 'input_replaced'
  | 'input_by_hand'
  | 'credentials_source'
  | 'output_renamed'
  | 'boolean_empty'
  | 'boolean_may_be_empty'
  | 'defaults_before_v0_4'
  | 'endpoint_variable'
  | 'cleanup_variable'
  | 'pinned_to_commit';

/** `change`: `--write` applies it. `manual`: a person must make it. `note`: no change is necessary. */
export type FindingKind = 'change' | 'manual' | 'note';

export interface Finding {
  /** The line number from 1, as in editors. */
  readonly line: number;
  readonly column: number;
  readonly kind: FindingKind;
  readonly code: FindingCode;
  readonly message: string;
  /** The edit of a change, unless it is part of the edit of the previous change. */
  readonly edit: Edit | undefined;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const fromTheEnd = edits.toSorted((left, right) => right.start - left.start);
  return fromTheEnd.reduce(
    (rest, { start, end, text: insert }) => rest.slice(0, start) + insert + rest.slice(end),
    text,
  );
}
