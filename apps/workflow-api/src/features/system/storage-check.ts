import { statfs } from 'node:fs/promises';

/** Whether the disks of this installation have space for new data. */
export type StorageCheck = () => Promise<boolean>;

/** SQLite needs at least this space for its next commits. */
const minFreeBytes = 1024 * 1024;

/** @param folders The folders that the server writes to. A disk that does not report its free space counts as free. */
export function createStorageCheck(folders: readonly string[]): StorageCheck {
  return async () => {
    const disks = await Promise.all(folders.map((folder) => statfs(folder)));
    // Some file systems report no blocks at all.
    return disks.every(({ blocks, bavail, bsize }) => blocks === 0 || bavail * bsize >= minFreeBytes);
  };
}
