import type { VisibleWorkspaces } from '../../access/access-rules';

export interface RunIndexQuery {
  /** At least one. */
  readonly words: readonly string[];
  readonly workspaces: VisibleWorkspaces;
  /** Only runs before this position. */
  readonly before?: bigint | undefined;
  readonly limit: number;
}

export interface IndexedRun {
  readonly runId: string;
  /** Greater for newer runs. */
  readonly position: bigint;
}

/** The words of the root runs. */
export interface RunIndex {
  /** Indexes runs that changed, the newest first, and returns how many changes it has dealt with. */
  catchUp(limit: number): Promise<number>;
  /** Lists runs that have a word that begins like each of the words, the newest first. */
  find(query: RunIndexQuery): Promise<readonly IndexedRun[]>;
}
