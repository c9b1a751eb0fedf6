import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseUrlInvalid } from './database-errors';

export type DatabaseProvider = 'sqlite' | 'postgresql';

export type DatabaseLocation =
  { readonly provider: 'sqlite'; readonly file: string } | { readonly provider: 'postgresql'; readonly url: string };

/**
 * Parses `file:<path>` (relative to the working directory), `postgres://…` or `postgresql://…`. Throws
 * `database_url_invalid` for everything else, including in-memory SQLite databases.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  if (url.startsWith('file:')) return { provider: 'sqlite', file: sqliteFile(url) };
  if (/^postgres(ql)?:\/\//.test(url)) return { provider: 'postgresql', url: postgresUrl(url) };
  throw databaseUrlInvalid('it begins with none of file:, postgres: and postgresql:.');
}

function sqliteFile(url: string): string {
  const name = url.startsWith('file://') ? readPath(url) : url.slice('file:'.length);
  if (name.includes(':memory:')) throw databaseUrlInvalid('a database in memory would be lost; name a file.');
  if (name.includes('?')) throw databaseUrlInvalid('a SQLite file takes no query parameters.');
  if (name === '' || name.endsWith('/') || name.includes('\0')) throw databaseUrlInvalid('it names no file.');
  return path.resolve(name);
}

function readPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    // The cause would repeat the URL, which may hold a password.
    throw databaseUrlInvalid('a file:// URL needs an absolute local path, as in file:///var/lib/weir/weir.db.');
  }
}

function postgresUrl(url: string): string {
  if (!URL.canParse(url)) throw databaseUrlInvalid('it cannot be parsed. Percent-encode special characters.');
  if (new URL(url).pathname.length < 2) throw databaseUrlInvalid('it names no database.');
  return url;
}
