import type { FolderAccess } from '../namespaces/closed-folders';
import type { IsolationTools } from '../namespaces/isolation-tools';

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

/** Namespaces to be made. */
export interface NamespaceOrder {
  readonly tools: IsolationTools;
  readonly access: FolderAccess;
}

/** The messages of the owner. `received`: the owner has opened the namespaces itself. */
export type ToSpawner =
  | { readonly kind: 'start'; readonly id: number; readonly order: SpawnOrder }
  | { readonly kind: 'isolate'; readonly id: number; readonly order: NamespaceOrder }
  | { readonly kind: 'received'; readonly id: number };

export type FailedPart = 'logs' | 'start';

/** `stat` is `/proc/PID/stat` right after the start, when the process cannot have been reaped yet. */
export type FromSpawner =
  | { readonly kind: 'up' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number; readonly stat: string | undefined }
  | { readonly kind: 'isolated'; readonly id: number; readonly userFd: number; readonly mountFd: number }
  | { readonly kind: 'not isolated'; readonly id: number; readonly problem: string }
  | { readonly kind: 'failed'; readonly id: number; readonly part: FailedPart; readonly code: string }
  | {
      readonly kind: 'exited';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
    };
