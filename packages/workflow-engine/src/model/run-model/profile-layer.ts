/** Variables and secrets that a run gets from outside of its file: from its profile, or from defaults. */
export interface ProfileLayer {
  readonly id: string;
  /** The name of the profile; `_global` and `_workspaces/NAME` for defaults. */
  readonly name: string;
  /** The file wins over defaults, and a profile wins over the file. */
  readonly isDefault: boolean;
  readonly variables: Readonly<Record<string, string>>;
  /** Their names: the values are read whenever the run begins or resumes. */
  readonly secrets: readonly string[];
}
