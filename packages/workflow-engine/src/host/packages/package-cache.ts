import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError } from '@weir/foundation';
import type { ActionLock, PackagedAction } from '@weir/workflow-spec';
import { errorCode } from '../files/error-code';
import type { FileLocks } from '../file-locks/file-locks';
import type { Clock } from '../../model/ports/clock';
import { fetchPackage, findCommit } from './fetch-package';
import type { RunGit } from './git-program';
import { hashPackage } from './hash-package';
import { packageFailed } from './package-errors';
import type { PackageStore } from './package-store';
import { readManifest } from './read-manifest';

export interface PackageCacheOptions {
  /** The folder of packages; steps can see it. */
  readonly folder: string;
  /** The address below which `owner/name` is a repository. */
  readonly source: string;
  readonly git: RunGit;
  readonly locks: FileLocks;
  readonly clock: Clock;
  /** After which a package that no run has used is removed. */
  readonly maxAgeMs: number;
}

const timeoutMs = 900_000;

/**
 * Packages in a folder by what they are locked to. Before each use all their contents are compared with the lock: what a
 * crash has left, and what a step has changed, is fetched again. What is there needs no network.
 */
export function createPackageCache(options: PackageCacheOptions): PackageStore {
  return {
    load: (action, signal) =>
      naming(action, signal, async (limited) => {
        if (action.lock === undefined) throw packageFailed('it is not locked.');
        const folder = await ensure({ ...options, action, signal: limited }, action.lock);
        await removeUnused(options);
        return { folder, manifest: await readManifest(folder) };
      }),
    lock: (action, signal) =>
      naming(action, signal, async (limited) => {
        const place = { ...options, action, signal: limited };
        const commit = await inTemporary(place, (folder) =>
          findCommit(options.git, { url: toUrl(place), version: action.version, folder, signal: limited }),
        );
        return { commit, checksum: await fetchNew(place, commit) };
      }),
  };
}

interface Place extends PackageCacheOptions {
  readonly action: PackagedAction;
  readonly signal: AbortSignal;
}

function ensure(place: Place, lock: ActionLock): Promise<string> {
  const { locks, signal, clock } = place;
  const folder = join(place.folder, toId(place, lock));
  return locks.hold([`package:${folder}`], signal, async () => {
    if (!(await isAsLocked(folder, lock, signal))) {
      const found = await fetchInto(place, lock.commit, () => folder, lock.checksum);
      if (found !== lock.checksum) throw packageFailed('its contents are not those that are locked.');
    }
    await utimes(folder, clock.now(), clock.now());
    return folder;
  });
}

/** The checksum of a commit, which is in the cache afterwards. */
function fetchNew(place: Place, commit: string): Promise<string> {
  return fetchInto(place, commit, (checksum) => join(place.folder, toId(place, { commit, checksum })));
}

/** A package is moved to its place when it is whole, and only if it has the checksum that is wanted. */
function fetchInto(
  place: Place,
  commit: string,
  target: (checksum: string) => string,
  wanted?: string,
): Promise<string> {
  return inTemporary(place, async (temporary) => {
    const { git, signal } = place;
    const folder = join(temporary, 'package');
    await fetchPackage(git, { url: toUrl(place), commit, repository: join(temporary, 'git'), folder, signal });
    const checksum = await hashPackage(folder, signal);
    if (wanted !== undefined && wanted !== checksum) return checksum;
    const at = target(checksum);
    if (wanted !== undefined || (await stat(at).catch(() => undefined)) === undefined) {
      await removePackage(at);
      // A folder that is moved has to be writable.
      await chmod(folder, 0o755);
      await rename(folder, at);
      await chmod(at, 0o555);
    }
    return checksum;
  });
}

async function inTemporary<T>({ folder }: Place, use: (temporary: string) => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const temporary = await mkdtemp(join(folder, '.fetch-'));
  try {
    return await use(temporary);
  } finally {
    await removePackage(temporary);
  }
}

async function isAsLocked(folder: string, { checksum }: ActionLock, signal: AbortSignal): Promise<boolean> {
  try {
    return (await hashPackage(folder, signal)) === checksum;
  } catch (error) {
    if (isAppError(error) || errorCode(error) === 'ENOENT' || errorCode(error) === 'EACCES') return false;
    throw error;
  }
}

/** One that a run uses now was used less than a day ago. */
async function removeUnused({ folder, clock, maxAgeMs, locks }: PackageCacheOptions): Promise<void> {
  const usedBefore = clock.now().getTime() - Math.max(maxAgeMs, 86_400_000);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isUnused = async () => ((await stat(path).catch(() => undefined))?.mtimeMs ?? usedBefore) < usedBefore;
    if (!(await isUnused())) continue;
    await locks.hold([`package:${path}`], AbortSignal.timeout(1_000), async () => {
      if (await isUnused()) await removePackage(path);
    });
  }
}

/** Its folders are read-only. */
async function removePackage(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  for (const each of [folder, ...folders]) await chmod(each, 0o755).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}

function toUrl({ source, action: { repository } }: Pick<Place, 'source' | 'action'>): string {
  return 'url' in repository ? repository.url : `${source.replace(/\/+$/, '')}/${repository.path}`;
}

function toId(place: Pick<Place, 'source' | 'action'>, { commit, checksum }: ActionLock): string {
  const url = toUrl(place);
  const hash = createHash('sha256')
    .update(JSON.stringify([url, commit, checksum]))
    .digest('hex')
    .slice(0, 32);
  const name = url.slice(url.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9.-]/g, '_');
  return `${name}-${hash}`;
}

async function naming<T>(
  { text }: PackagedAction,
  signal: AbortSignal,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  const what = `The action ${JSON.stringify(text)} was not fetched`;
  try {
    return await use(AbortSignal.any([signal, limit]));
  } catch (error) {
    if (signal.aborted) throw error;
    if (limit.aborted) throw packageFailed(`${what}: there was no end within ${timeoutMs / 1000} seconds.`, error);
    if (isAppError(error)) throw packageFailed(`${what}: ${error.message}`, error);
    const code = errorCode(error);
    if (code !== undefined && code !== 'ABORT_ERR') throw packageFailed(`${what} (${code}).`, error);
    throw error;
  }
}
