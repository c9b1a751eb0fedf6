import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { migrationsMissing } from './database-errors';
import type { DatabaseProvider } from './database-url';

export interface MigrationFile {
  /** The folder's name: a time stamp, a verb and an object. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file in hex, as in Prisma's ledger. */
  readonly checksum: string;
}

/** The migrations below `<folder>/<provider>`, in the order in which they apply. */
export async function readMigrations(folder: string, provider: DatabaseProvider): Promise<readonly MigrationFile[]> {
  const root = path.join(folder, provider);
  try {
    const entries = await readdir(root, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const files = await Promise.all(names.sort().map((name) => readMigration(root, name)));
    if (files.length > 0) return files;
  } catch (cause) {
    throw migrationsMissing(root, cause);
  }
  throw migrationsMissing(root);
}

async function readMigration(root: string, name: string): Promise<MigrationFile> {
  const bytes = await readFile(path.join(root, name, 'migration.sql'));
  return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
}
