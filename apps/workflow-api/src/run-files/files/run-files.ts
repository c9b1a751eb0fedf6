import type { Logger } from '@weir/service-kit';
import type { StoredRun } from '@weir/workflow-engine';

/** A file of a run, as long as it was when it was opened. */
export interface StoredFile {
  readonly size: number;
  /** The same for the same file while it only grows. */
  readonly identity: string;
  /** Fewer bytes only at the end. */
  read(from: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface StoredEntry {
  readonly name: string;
  readonly type: 'file' | 'directory';
  readonly size: number;
}

/** The files of one folder of a run, as they are now. Paths are relative to it, with `/` between names. */
export interface RunFolder {
  /** Nothing while nothing was written, and for what is no file of the folder. The caller closes it. */
  open(path: string): Promise<StoredFile | undefined>;
  /** 0 where {@link open} gives nothing. */
  sizeOf(path: string): Promise<number>;
  /** What a folder below it has, in any order, without links; the folder itself for an empty path. Nothing where there is none. */
  list(path: string): Promise<readonly StoredEntry[] | undefined>;
  /** Whether it has anything but links. */
  hasFiles(): Promise<boolean>;
}

/** What a worker needs of the files of a run while it executes it. */
export interface RunFileClaim {
  /** The fencing token of the run. */
  readonly token: number;
  readonly load: () => Promise<StoredRun>;
  /** Aborted when the worker stops: what cannot be sent to a store then stays on this machine. */
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

export interface ClaimedFiles {
  /** Resolves when everything that was written until now can be read by other processes. Rejects when the worker stops. */
  flush(): Promise<void>;
  /** The run is over here, for this or another reason. Nothing may be written any more. */
  close(): Promise<void>;
}

export interface CopiedFile {
  /** Absolute paths. */
  readonly from: string;
  readonly to: string;
}

/**
 * Where the logs and artifacts of runs are read, whichever machine has written them. They are always written in one way:
 * to files of the machine that executes the run. Everything throws `store_unavailable` when the store cannot be reached.
 */
export interface RunFiles {
  /** How long after the end of a run its last lines may come, in milliseconds. */
  readonly settleMs: number;
  view(folder: string): Promise<RunFolder>;
  /** To be called before anything of a claimed run is written: what earlier owners have written is there afterwards. */
  claim(claim: RunFileClaim): Promise<ClaimedFiles>;
  /** Copies files where they are; missing ones are left out. The targets belong to a run that is not stored yet. Returns the removal. */
  copy(files: readonly CopiedFile[]): Promise<() => Promise<void>>;
  /** Removes a folder of a run with everything in it. */
  remove(folder: string): Promise<void>;
  /** Whether the store answers; may take as long as the store does. */
  isReachable(): Promise<boolean>;
  /** What a thread of this process needs to read the same files. */
  describe(): Promise<RunFileOptions>;
}

/** Which store, as it can be sent to a thread. */
export type RunFileOptions = { readonly kind: 'files' } | ({ readonly kind: 's3' } & ObjectStoreOptions);

export interface ObjectStoreOptions {
  readonly bucket: string;
  /** Of all keys; empty or ends with `/`. */
  readonly prefix: string;
  readonly region: string;
  /** Default: that of AWS in the region. */
  readonly endpoint?: string | undefined;
  /** Default: what the tools of AWS find. */
  readonly key?:
    { readonly id: string; readonly secret: string; readonly sessionToken?: string | undefined } | undefined;
}
