/** A process to be started as leader of a session and group of its own. */
export interface SpawnOrder {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard input, which is empty when missing. */
  readonly stdin?: { readonly file: string; readonly openFlags: number } | undefined;
  /** Both exist. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
  readonly openFlags: number;
}

/** What the owner sends. */
export interface ToSpawner {
  readonly id: number;
  readonly order: SpawnOrder;
}

export type FailedPart = 'logs' | 'start';

/** `stat` is `/proc/PID/stat` right after the start, when the process cannot have been reaped yet. */
export type FromSpawner =
  | { readonly kind: 'up' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number; readonly stat: string | undefined }
  | { readonly kind: 'failed'; readonly id: number; readonly part: FailedPart; readonly code: string }
  | {
      readonly kind: 'exited';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
    };
