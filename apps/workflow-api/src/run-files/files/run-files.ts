import type { Logger } from '@weir/service-kit';
import type { StoredRun } from '@weir/workflow-engine/model';

/** A file of a run, with the length that it had when it was opened. */
export interface StoredFile {
  readonly size: number;
  /** The identity is the same for the same file while it only grows. */
  readonly identity: string;
  /** Returns fewer bytes only at the end. */
  read(from: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface StoredEntry {
  readonly name: string;
  readonly type: 'file' | 'directory';
  readonly size: number;
}

/** The present files of one folder of a run. Paths are relative to it, with `/` between names. */
export interface RunFolder {
  /**
   * Opens a file, which the caller closes. Returns `undefined` while nothing was written, and for a path that is no
   * file of the folder.
   */
  open(path: string): Promise<StoredFile | undefined>;
  /** Returns 0 where {@link open} returns `undefined`. */
  sizeOf(path: string): Promise<number>;
  /**
   * Lists the entries of a folder below it, in any order, without links; the folder itself for an empty path. Returns
   * `undefined` where there is none.
   */
  list(path: string): Promise<readonly StoredEntry[] | undefined>;
  /** Returns whether the folder has anything but links. */
  hasFiles(): Promise<boolean>;
}

/** Everything that a worker needs for the files of a run while it executes it. */
export interface RunFileClaim {
  /** The fencing token of the run. */
  readonly token: number;
  readonly load: () => Promise<StoredRun>;
  /** Aborted when the worker stops: files that cannot be sent to a store then stay on this machine. */
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

export interface ClaimedFiles {
  /** Resolves when other processes can read everything that was written until now. Rejects when the worker stops. */
  flush(): Promise<void>;
  /** Ends the claim, for any reason. Nothing may be written any more. */
  close(): Promise<void>;
}

/** Selects logs and their times, including those of work that was pushed back. Outputs may have secrets and are never sent. */
export const isLogFile = (file: string): boolean => /\.(out|err|log|times)(\.\d+)?$/.test(file);

export interface CopiedFile {
  /** The paths are absolute. */
  readonly from: string;
  readonly to: string;
}

/**
 * Reads the logs and artifacts of runs, from any machine that has written them. They are always written in one way:
 * to files of the machine that executes the run. Every operation throws `store_unavailable` when the store cannot be
 * reached.
 */
export interface RunFiles {
  /** The last lines of a run may come within this time after its end, in milliseconds. */
  readonly settleMs: number;
  view(folder: string): Promise<RunFolder>;
  /** Must be called before anything of a claimed run is written: afterwards the files of earlier owners exist here. */
  claim(claim: RunFileClaim): Promise<ClaimedFiles>;
  /**
   * Copies files within the store; missing ones are left out. The targets belong to a run that is not stored yet.
   * Returns a function that removes the copies.
   */
  copy(files: readonly CopiedFile[]): Promise<() => Promise<void>>;
  /** Removes a folder of a run with everything in it. */
  remove(folder: string): Promise<void>;
  /** Whether the store answers; the check may take as long as the store does. */
  isReachable(): Promise<boolean>;
  /** Returns the options with which a thread of this process reads the same files. */
  describe(): Promise<RunFileOptions>;
}

/** Identifies the store, and can be sent to a thread. */
export type RunFileOptions = { readonly kind: 'files' } | ({ readonly kind: 's3' } & ObjectStoreOptions);

export interface ObjectStoreOptions {
  readonly bucket: string;
  /** The prefix of all keys; empty or ends with `/`. */
  readonly prefix: string;
  readonly region: string;
  /** Default: the address of AWS in the region. */
  readonly endpoint?: string | undefined;
  /** Default: the credentials that the tools of AWS find. */
  readonly key?:
    { readonly id: string; readonly secret: string; readonly sessionToken?: string | undefined } | undefined;
}
