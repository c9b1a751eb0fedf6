import { applyMigrations } from '../apply-migrations';
import type { Database } from '../create-database';
import { copyDiffers, copyOfAnother, copyTargetNotEmpty, copyUnfinished } from '../database-errors';
import { parseDatabaseUrl, type DatabaseLocation } from '../database-url';
import { copiedTables } from './copied-tables';
import type { CopyStore, Progress } from './copy-store';
import { copyTable } from './copy-table';
import { lockForCopy } from './lock-for-copy';
import { checksumOf, type TableChecksum } from './table-checksum';

export interface CopyDatabaseOptions {
  /** URLs as for `createDatabase`. */
  readonly from: string;
  readonly to: string;
  /** The same folder as for `applyMigrations`. */
  readonly migrationsFolder: string;
  /** Called with the number of rows that were stored since the last call. */
  readonly onRows?: (table: string, count: number) => void;
  /** Called with each table that was compared. */
  readonly onCompared?: (table: string, checksum: TableChecksum) => void;
}

/**
 * Copies all rows of a database into an empty one, of the same or of the other kind, and compares all of them. Rows
 * that an interrupted call has copied are not copied again. Until all rows are compared, `assertNotCopying` refuses the
 * target. Rejects with `unavailable` and a reason: those of `applyMigrations`, `database_in_use`,
 * `database_has_workers`, `copy_target_not_empty`, `copy_of_another`, `copy_differs`.
 */
export async function copyDatabase(options: CopyDatabaseOptions): Promise<void> {
  const { from, to, migrationsFolder: folder } = options;
  const [source, target] = [parseDatabaseUrl(from), parseDatabaseUrl(to)];
  const releases: (() => Promise<void>)[] = [];
  const keep = <T extends { readonly close: () => Promise<void> }>(held: T): T => {
    releases.unshift(held.close);
    return held;
  };
  try {
    const { instance } = await applyMigrations({ url: from, folder, mode: 'verify' });
    keep(await lockForCopy(source, 'source'));
    keep(await lockForCopy(target, 'target'));
    await applyMigrations({ url: to, folder });
    const stores = { source: keep(await openCopyStore(source)), target: keep(await openCopyStore(target)) };
    await copyAll({ ...stores, instance }, options);
  } finally {
    for (const release of releases) await release();
  }
}

interface Stores {
  readonly source: CopyStore;
  readonly target: CopyStore;
  readonly instance: string;
}

async function copyAll(stores: Stores, { onRows, onCompared }: CopyDatabaseOptions): Promise<void> {
  const { source, target } = stores;
  const begun = await readProgress(stores);
  for (const table of copiedTables) {
    const options = { ...stores, begun: begun.get(table.name), onRows: (count: number) => onRows?.(table.name, count) };
    await copyTable(table, options);
  }
  const different: string[] = [];
  for (const table of copiedTables) {
    const [expected, found] = [await checksumOf(source, table), await checksumOf(target, table)];
    if (expected.rows === found.rows && expected.checksum === found.checksum) onCompared?.(table.name, found);
    else different.push(table.name);
  }
  if (different.length > 0) throw copyDiffers(different);
  await target.clearProgress();
}

/** The existing rows of the target must have been copied from the same source. */
async function readProgress({ source, target, instance }: Stores): Promise<ReadonlyMap<string, Progress>> {
  if ((await source.progress()).length > 0) throw copyUnfinished();
  const progress = await target.progress();
  if (progress.some((part) => part.source !== instance)) throw copyOfAnother();
  const begun = new Map(progress.map((part) => [part.tableName, part]));
  for (const table of copiedTables) {
    if (!begun.has(table.name) && !(await target.isEmpty(table))) throw copyTargetNotEmpty(table.name);
  }
  return begun;
}

/** Rejects with `unavailable`, reason `copy_unfinished`, while the database is an unfinished copy. */
export async function assertNotCopying({ db }: Pick<Database, 'db'>): Promise<void> {
  if ((await db.storeCopy.count()) > 0) throw copyUnfinished();
}

/** Only the driver of this database is loaded. */
async function openCopyStore(location: DatabaseLocation): Promise<CopyStore> {
  if (location.provider === 'sqlite') {
    const { openSqliteCopyStore } = await import('./sqlite-copy-store.js');
    return openSqliteCopyStore(location.file);
  }
  const { openPostgresCopyStore } = await import('./postgres-copy-store.js');
  return openPostgresCopyStore(location.url);
}
