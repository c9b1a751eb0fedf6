import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { timerPause, type Pause } from '../concurrency/pause';

/** Locks a file until it is released or the process ends, however it ends; `undefined` when it is locked. */
export type TryLockFile = (file: string) => { readonly release: () => void } | undefined;

/** Locks that hold across the processes of this host. */
export interface FileLocks {
  /** Waits for all of the names, as long as `signal` allows, and releases them when `use` has settled. */
  hold<T>(names: readonly string[], signal: AbortSignal, use: () => Promise<T>): Promise<T>;
}

export interface FileLocksOptions {
  readonly folder: string;
  readonly tryLock: TryLockFile;
  readonly pause?: Pause;
}

// Files that are locked cannot be removed safely, so their number is fixed. Names that share one only wait for each other.
const buckets = 4096;
const firstWaitMs = 20;
const longestWaitMs = 500;

export function createFileLocks({ folder, tryLock, pause = timerPause }: FileLocksOptions): FileLocks {
  const acquire = async (file: string, signal: AbortSignal) => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      signal.throwIfAborted();
      const lock = tryLock(file);
      if (lock !== undefined) return lock;
      await pause(waitMs, signal);
    }
  };
  return {
    hold: async (names, signal, use) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const held: { readonly release: () => void }[] = [];
      try {
        // In one order for everybody, so that no two wait for each other.
        for (const file of toFiles(names)) held.push(await acquire(join(folder, file), signal));
        return await use();
      } finally {
        for (const lock of held) lock.release();
      }
    },
  };
}

function toFiles(names: readonly string[]): readonly string[] {
  const files = names.map((name) => createHash('sha256').update(name).digest().readUInt32BE(0) % buckets);
  return [...new Set(files)].sort((left, right) => left - right).map((bucket) => `${bucket}.lock`);
}
