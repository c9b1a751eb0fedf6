import { AppError } from '@weir/foundation';
import type { Principal } from '../../access/principal';
import { newStoredItem, type ComparedItem } from './comparison';
import type { CommittedFile } from './commit-stream';
import { gitHash } from './git-hash';
import type { LocalFiles } from './local-files';
import { commitAndPush, conflictOf, findItem, repositoryPath } from './publish';
import { itemChanged, itemExists, itemUntracked } from './sync-errors';
import { parseItemId, type ItemName } from './sync-item';
import type { SyncSession } from './sync-session';

export interface Move {
  readonly itemId: string;
  readonly newItemId: string;
  readonly message?: string | undefined;
  /** Whether a newer version of the repository is replaced. */
  readonly isForced: boolean;
  readonly principal: Principal;
}

/**
 * Renames a file here and in the repository. It is renamed here first, since that may be refused, and renamed back
 * when the repository refuses; after a crash between the two, the file is missing under the old name and untracked
 * under the new one.
 */
export async function moveItem(
  session: SyncSession,
  { files, now }: { readonly files: LocalFiles; readonly now: Date },
  { itemId, newItemId, message, isForced, principal }: Move,
): Promise<void> {
  const target = toTarget(itemId, newItemId);
  const {
    plan,
    commit,
    author,
    message: written,
  } = await commitAndPush(
    session,
    { principal, now },
    async ({ items, tree }) => {
      const item = movable(findItem(items, itemId), isForced);
      const other = items.get(newItemId);
      if (other?.local !== undefined || other?.remote !== undefined) throw itemExists(newItemId);
      const text = await files.readText(item);
      if (text === undefined) throw itemChanged(itemId, 'is not here, or cannot be read as text.');
      const filePath = `${newItemId}${item.filePath.slice(item.filePath.lastIndexOf('.'))}`;
      const removed: CommittedFile = { path: repositoryPath(session, item.filePath) };
      const mode = tree.files.get(itemId)?.mode;
      const added: CommittedFile = { path: repositoryPath(session, filePath), text, mode };
      await files.rename(item, target, principal);
      return {
        plan: { item, filePath, hash: gitHash(text) },
        files: item.remote === undefined ? [added] : [removed, added],
        message: message ?? `Rename ${itemId} to ${newItemId}`,
      };
    },
    ({ item }) => files.rename(target, item, principal),
  );
  const known = { baseHash: plan.hash, baseAt: now, remoteHash: plan.hash };
  const change = { remoteAuthor: author.name, remoteMessage: written.split('\n', 1)[0] ?? '' };
  const at = commit === undefined ? {} : { baseCommit: commit, remoteCommit: commit };
  const put = [{ ...newStoredItem(target, plan.filePath), ...known, ...change, ...at }];
  await session.settle({ put, remove: [itemId], ...(commit === undefined ? {} : { commit }) });
}

function toTarget(itemId: string, newItemId: string): ItemName {
  const target = parseItemId(newItemId);
  if (target === undefined || target.kind !== parseItemId(itemId)?.kind || newItemId === itemId) {
    throw new AppError('invalid_request', `"${itemId}" cannot be called "${newItemId}".`, {
      reason: 'request_invalid',
    });
  }
  return target;
}

function movable(item: ComparedItem, isForced: boolean): ComparedItem {
  if (item.local === undefined) throw itemChanged(item.itemId, 'is not here.');
  if (item.remote === undefined && item.base === undefined) throw itemUntracked(item.itemId);
  if (!isForced && (item.state === 'conflict' || item.state === 'incoming')) throw conflictOf(item);
  return item;
}
