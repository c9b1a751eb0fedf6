/** How one row of docs/compatibility.md may be written in a file. */
export interface Fragment {
  /** As in the row. */
  readonly row: string;
  /** Names the form among those of the row. */
  readonly form: string;
  /** Lines of a DAG, or of a step. */
  readonly yaml: string;
  /** Codes of errors, by the position where they are expected; `*` for every position. */
  readonly refused?: Readonly<Record<string, string>>;
  /** What a run of it writes into the file that `@OUT@` stands for; only in the first position. */
  readonly writes?: string;
  /** Whether this form is an older spelling, though its row is not. */
  readonly isOlder?: true;
  /** The action that it stands for, without which it is refused. */
  readonly action?: string;
  /** Further lines of the DAG that the fragment needs. */
  readonly dag?: string;
}

/** Fragments of a row: a form's name and its lines. */
export function forms(
  row: string,
  table: Readonly<Record<string, string | Omit<Fragment, 'row' | 'form'>>>,
): readonly Fragment[] {
  return Object.entries(table).map(([form, entry]) => ({
    row,
    form,
    ...(typeof entry === 'string' ? { yaml: entry } : entry),
  }));
}

export function indent(text: string, by: number): string {
  const start = ' '.repeat(by);
  return text
    .split('\n')
    .map((line) => (line === '' ? line : start + line))
    .join('\n');
}
