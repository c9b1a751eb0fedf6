import { isAppError } from '@weir/foundation';
import type { Requester } from '../../access/audited-operation';
import type { ComparedItem } from './comparison';
import type { StoredItem } from './git-sync-store';
import type { LocalFiles } from './local-files';
import { findItem, recordItems } from './publish';
import { itemChanged, itemNotFound, repositoryFailed } from './sync-errors';
import type { SyncSession } from './sync-session';

/** Replaces a file by its last fetched version. Throws `sync_item_not_found` or `sync_item_changed`. */
export async function discardChanges(
  session: SyncSession,
  files: LocalFiles,
  { itemId, ...requester }: Requester & { readonly itemId: string },
): Promise<void> {
  const item = findItem(await session.compare(), itemId);
  // A file that the repository never had would be lost.
  if (item.remote === undefined && item.base === undefined) throw itemNotFound(itemId);
  if (item.local === item.remote) return;
  const text = item.remote === undefined ? undefined : await readRemote(session, item.remote);
  try {
    await files.accept(item, { text, expected: item.local, ...requester });
  } catch (error) {
    if (!isAppError(error) || error.code !== 'precondition_failed') throw error;
    throw itemChanged(itemId, 'was changed meanwhile, or cannot be read as text.');
  }
  await session.settle();
}

async function readRemote(session: SyncSession, hash: string): Promise<string> {
  const read = async () => (await session.mirror.readTexts([hash])).get(hash);
  let text = await read();
  if (text === undefined) {
    // Another machine has fetched the version.
    await session.mirror.fetch();
    text = await read();
  }
  if (text === undefined) throw repositoryFailed('the file is not UTF-8 text, or the repository has it no longer.');
  return text;
}

/** Throws `sync_item_not_found` or `sync_item_changed`. */
export async function forgetItem(
  session: SyncSession,
  files: LocalFiles,
  { itemId, ...requester }: Requester & { readonly itemId: string },
): Promise<void> {
  const item = findItem(await session.compare(), itemId);
  if (item.status === 'synced' || item.status === 'modified') {
    throw itemChanged(itemId, `is ${item.status}: only missing and untracked files and conflicts can be forgotten.`);
  }
  await forget(session, [item]);
  await recordItems(session, files, { items: [item], ...requester });
}

/** Deletes the records of all files that are missing here. Returns their ids. */
export async function forgetMissing(
  session: SyncSession,
  files: LocalFiles,
  requester: Requester,
): Promise<readonly string[]> {
  const missing = [...(await session.compare()).values()].filter(({ status }) => status === 'missing');
  await forget(session, missing);
  await recordItems(session, files, { items: missing, ...requester });
  return missing.map(({ itemId }) => itemId);
}

async function forget(session: SyncSession, items: readonly ComparedItem[]): Promise<void> {
  const known = items.flatMap(({ stored }) => stored ?? []);
  const put = known
    .filter(({ remoteHash }) => remoteHash !== null)
    .map((row): StoredItem => ({ ...row, baseHash: null, baseCommit: null, baseAt: null, missingAt: null }));
  const remove = known.filter(({ remoteHash }) => remoteHash === null).map(({ itemId }) => itemId);
  await session.settle({ put, remove });
}
