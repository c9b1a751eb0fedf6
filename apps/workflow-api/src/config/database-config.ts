import path from 'node:path';
import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { flag, type Folders } from './config-values';

/** Settings for the database of the server. */
export const databaseVariables = {
  WEIR_DATABASE_URL: {
    schema: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/)/, 'must be file: with a path, or begin with postgres:// or postgresql://')
      .optional(),
    defaultText: '`file:$WEIR_HOME/data/weir.db`',
    description: '`file:<path>` for SQLite, `postgres://…` for PostgreSQL.',
  },
  WEIR_SQLITE_SYNCHRONOUS: {
    schema: z.enum(['normal', 'full'], 'must be normal or full').default('normal'),
    defaultText: '`normal`',
    description: '`full` syncs every commit to disk, so that a power failure loses nothing either. Applies to SQLite.',
  },
  WEIR_AUTO_MIGRATE: {
    schema: flag.default(true),
    defaultText: '`true`',
    description: 'With `false`, the server refuses to start if a migration is pending, instead of applying it.',
  },
} as const satisfies Variables;

export interface DatabaseConfig {
  readonly data: { readonly folder: string };
  readonly database: {
    readonly url: Secret;
    readonly autoMigrate: boolean;
    readonly sqliteSynchronous: 'normal' | 'full';
  };
}

export function readDatabaseConfig(
  values: VariableValues<typeof databaseVariables>,
  { home, absolute }: Folders,
): DatabaseConfig {
  const folder = path.join(home, 'data');
  const url = values.WEIR_DATABASE_URL ?? `file:${path.join(folder, 'weir.db')}`;
  return {
    data: { folder },
    database: {
      url: new Secret(absoluteSqliteUrl(url, absolute)),
      autoMigrate: values.WEIR_AUTO_MIGRATE,
      sqliteSynchronous: values.WEIR_SQLITE_SYNCHRONOUS,
    },
  };
}

function absoluteSqliteUrl(url: string, absolute: (text: string) => string): string {
  return url.startsWith('file:') && !url.startsWith('file://') ? `file:${absolute(url.slice('file:'.length))}` : url;
}
