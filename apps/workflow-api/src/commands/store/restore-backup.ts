import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isSystemError } from '@weir/foundation';
import { extract } from 'tar';
import type { Config } from '../../config';
import type { ProgramHost } from '../shared/program-host';
import { sqliteFile } from './back-up';
import { Manifest, partsFolderPrefix } from './backup-parts';

export interface RestoreOptions extends ProgramHost {
  readonly config: Config;
  /** An archive of `weir backup`. */
  readonly file: string;
}

/**
 * Creates the home folder from an archive. Everything is read before the folder gets its name, so that an
 * interruption leaves no partial folder. Returns the exit code. Throws `conflict` when the home folder has files, or
 * the database exists.
 */
export async function restoreBackup({ config, file, workingDirectory, print }: RestoreOptions): Promise<number> {
  const archive = path.resolve(workingDirectory, file);
  const database = sqliteFile(config);
  await assertFree(config.home, database);
  await mkdir(path.dirname(config.home), { recursive: true });
  const draft = await mkdtemp(`${config.home}.restoring-`);
  try {
    extractInto(draft, archive);
    const { parts, manifest } = await readParts(draft, archive);
    const isInside = !path.relative(config.home, database).startsWith('..');
    const place = isInside ? path.join(draft, path.relative(config.home, database)) : database;
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    await rename(path.join(parts, 'weir.db'), place);
    await rm(parts, { recursive: true });
    await rmdir(config.home).catch(() => undefined);
    await rename(draft, config.home);
    print(`${config.home}: restored from ${manifest.createdAt}, written by version ${manifest.version}`);
    return 0;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function assertFree(home: string, database: string): Promise<void> {
  const names = await readdir(home).catch((): readonly string[] => []);
  if (names.length > 0) {
    throw new AppError('conflict', `${home} is not empty, and is not overwritten; WEIR_HOME names another folder.`);
  }
  const isThere = await stat(database).then(
    () => true,
    () => false,
  );
  if (isThere) throw new AppError('conflict', `The database ${database} exists, and is not overwritten.`);
}

/** The extraction is synchronous: files that are still being written after a failure could not be removed. */
function extractInto(folder: string, archive: string): void {
  try {
    extract({ file: archive, cwd: folder, strict: true, sync: true });
  } catch (cause) {
    throw isSystemError(cause, 'ENOENT')
      ? new AppError('not_found', `There is no file ${archive}.`)
      : notABackup(archive, cause);
  }
}

async function readParts(draft: string, archive: string) {
  const name = (await readdir(draft)).find((each) => each.startsWith(partsFolderPrefix));
  if (name === undefined) throw notABackup(archive);
  const parts = path.join(draft, name);
  try {
    const manifest = Manifest.parse(JSON.parse(await readFile(path.join(parts, 'manifest.json'), 'utf8')));
    return { parts, manifest };
  } catch (cause) {
    throw notABackup(archive, cause);
  }
}

function notABackup(archive: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `${archive} is not an archive of "weir backup", or is damaged.`, { cause });
}
