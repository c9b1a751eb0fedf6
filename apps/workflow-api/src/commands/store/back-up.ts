import { mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isSystemError } from '@weir/foundation';
import { backUpSqlite, parseDatabaseUrl } from '@weir/workflow-db';
import { create } from 'tar';
import type { Config } from '../../config';
import type { ProgramHost } from '../shared/program-host';
import { partsFolderPrefix, type Manifest } from './backup-parts';

export interface BackUpOptions extends ProgramHost {
  readonly config: Config;
  /** The file to create. */
  readonly file: string;
}

/** Files of active runs come and go while the folder is read. */
const attempts = 5;

/**
 * Writes the database as it is at one moment, and the files of the home folder, into one archive that only its owner
 * can read. The server may be running. Returns the exit code. Throws `conflict` when the file exists.
 */
export async function backUp(options: BackUpOptions): Promise<number> {
  const { config, print, workingDirectory } = options;
  const target = path.resolve(workingDirectory, options.file);
  const database = sqliteFile(config);
  if (await exists(target)) throw new AppError('conflict', `${target} exists, and is not overwritten.`);
  if (!(await exists(database))) {
    throw new AppError('not_found', `There is no database ${database}; WEIR_HOME is ${config.home}.`);
  }
  const parts = await mkdtemp(path.join(config.home, partsFolderPrefix));
  const draft = `${target}.partial`;
  try {
    await backUpSqlite(database, path.join(parts, 'weir.db'));
    const manifest: Manifest = { format: 1, version: options.version, createdAt: new Date().toISOString() };
    await writeFile(path.join(parts, 'manifest.json'), JSON.stringify(manifest));
    await writeArchive(draft, { home: config.home, parts: path.basename(parts), database });
    await rename(draft, target);
  } finally {
    await rm(parts, { recursive: true, force: true });
    await rm(draft, { force: true });
  }
  // Rounded up, so that a small archive is not said to be empty.
  print(`${target}: ${(Math.ceil((await stat(target)).size / (2 ** 20 / 10)) / 10).toFixed(1)} MB`);
  for (const line of leftOut(config)) print(line);
  return 0;
}

/** Throws `invalid_request` for PostgreSQL. */
export function sqliteFile({ database, home }: Pick<Config, 'database' | 'home'>): string {
  const location = parseDatabaseUrl(database.url.reveal());
  if (location.provider === 'sqlite') return location.file;
  const message =
    'This installation uses PostgreSQL, which has its own tools: back the database up with pg_dump and restore it with ' +
    `pg_restore, and copy the folder ${home} (WEIR_HOME) after the dump.`;
  throw new AppError('invalid_request', message, { reason: 'sqlite_needed' });
}

interface Contents {
  readonly home: string;
  /** The folder in the home folder that holds the manifest and the copy of the database, which come first. */
  readonly parts: string;
  readonly database: string;
}

async function writeArchive(file: string, { home, parts, database }: Contents): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const names = (await readdir(home)).filter((name) => !name.startsWith(partsFolderPrefix));
    try {
      const entries = [`${parts}/manifest.json`, `${parts}/weir.db`, ...names];
      await create(
        { file, cwd: home, gzip: true, mode: 0o600, filter: (each) => isKept(home, each, database) },
        entries,
      );
      await flush(file);
      return;
    } catch (error) {
      if (attempt === attempts || !isSystemError(error, 'ENOENT')) throw error;
    }
  }
}

/** Leaves out the database itself, whose copy is kept, and files that belong to a process. */
function isKept(home: string, entry: string, database: string): boolean {
  const file = path.resolve(home, entry);
  if (file.startsWith(database)) return false;
  return file !== path.join(home, 'data', 'weir.sock') && file !== path.join(home, 'data', 'scripts');
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function leftOut({ home, dags, docs, baseConfig }: Config): readonly string[] {
  const outside = [dags.folder, docs.folder, baseConfig.file].filter((each) =>
    path.relative(home, each).startsWith('..'),
  );
  return [...new Set(outside)].map((each) => `not included, because it is outside of ${home}: ${each}`);
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
