import { statfs } from 'node:fs/promises';

/** Whether the disks of this installation have space for new data. */
export type StorageCheck = () => Promise<boolean>;

/** SQLite needs at least this space for its next commits. */
const minFreeBytes = 1024 * 1024;

/** @param folders Where the server writes. A disk that does not tell its free space has some. */
export function createStorageCheck(folders: readonly string[]): StorageCheck {
  return async () => {
    const disks = await Promise.all(folders.map((folder) => statfs(folder)));
    // Some file systems report no blocks at all.
    return disks.every(({ blocks, bavail, bsize }) => blocks === 0 || bavail * bsize >= minFreeBytes);
  };
}
