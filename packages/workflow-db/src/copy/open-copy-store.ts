import type { DatabaseLocation } from '../database-url';
import type { CopyStore } from './copy-store';

/** Only the driver of this database is loaded. */
export async function openCopyStore(location: DatabaseLocation): Promise<CopyStore> {
  if (location.provider === 'sqlite') {
    const { openSqliteCopyStore } = await import('./sqlite-copy-store.js');
    return openSqliteCopyStore(location.file);
  }
  const { openPostgresCopyStore } = await import('./postgres-copy-store.js');
  return openPostgresCopyStore(location.url);
}
