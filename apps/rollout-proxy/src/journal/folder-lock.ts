import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isSystemError } from '@weir/foundation';
import type { Resource } from '@weir/service-kit';
import { waitForFormerWorkers } from './former-workers';

/**
 * Keeps a second process out of a folder. The lock of a process that was killed is ignored at once, which a lock that
 * expires by time could not promise. Rejects with `unavailable`, reasons `data_folder_in_use` and
 * `data_folder_unusable`.
 */
export async function lockFolder(folder: string): Promise<Resource> {
  const file = path.join(folder, 'lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await create(file)) {
      const lock: Resource = { name: 'lock of the data folder', stop: () => rm(file, { force: true }) };
      await waitForFormerWorkers(folder).catch(async (error: unknown) => {
        await lock.stop();
        throw error;
      });
      return lock;
    }
    const holder = await readHolder(file);
    if (holder !== undefined && (await isRunning(holder))) break;
    await removeStaleLock(file, holder);
  }
  throw new AppError('unavailable', `Another process uses the folder ${folder} (ROLLOUT_DATA_DIR).`, {
    reason: 'data_folder_in_use',
  });
}

async function create(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw new AppError('unavailable', `The folder ${path.dirname(file)} (ROLLOUT_DATA_DIR) cannot be written to.`, {
      reason: 'data_folder_unusable',
      cause: error,
    });
  }
}

/** Removes a stale lock, but not the one by which another process has replaced it meanwhile. */
async function removeStaleLock(file: string, holder: number | undefined): Promise<void> {
  const aside = `${file}.${process.pid}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    throw error;
  }
  if ((await readHolder(aside)) !== holder) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readHolder(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

async function isRunning(pid: number): Promise<boolean> {
  // In a container every start has the same process id.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return !(await isDefunct(pid));
  } catch (error) {
    // It runs, but may not be signalled.
    return isSystemError(error, 'EPERM');
  }
}

/** Whether it is a zombie, which in a container may never be reaped. */
async function isDefunct(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status.includes(') Z ');
}
