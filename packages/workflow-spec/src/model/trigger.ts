/** Starts runs for files that arrive. */
export interface FileTrigger {
  /** A glob, absolute or relative to the folder of the DAG files. */
  readonly files: string;
  /** For how long a file must not have changed. */
  readonly quietSec: number;
  /** Whether all files that are quiet get one run together. */
  readonly batch: boolean;
}
