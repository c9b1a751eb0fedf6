import type { Requester } from '../../access/audited-operation';
import type { ComparedItem } from './comparison';
import type { CommittedFile } from './commit-stream';
import type { LocalFiles } from './local-files';
import { commitAndPush, describe, findItem, recordItems, repositoryPath } from './publish';
import { itemChanged, itemUntracked } from './sync-errors';
import type { SyncSession } from './sync-session';

export interface Deletion extends Requester {
  /** Default: every file that is missing here. */
  readonly itemIds?: readonly string[];
  readonly message?: string | undefined;
  /** Whether changes may be lost that the other side does not have. */
  readonly isForced: boolean;
}

interface DeletionPorts {
  readonly files: LocalFiles;
  readonly now: Date;
}

/**
 * Deletes files in the repository, and then here: files that a crash leaves here are deleted by the next pull.
 * Returns their ids. Throws `sync_item_not_found`, `sync_item_untracked` or `sync_item_changed` before anything is
 * deleted, and the errors of publishing.
 */
export async function deleteItems(
  session: SyncSession,
  { files, now }: DeletionPorts,
  { itemIds, message, isForced, principal, audit }: Deletion,
): Promise<readonly string[]> {
  const { plan, commit } = await commitAndPush(session, { principal, now }, ({ items }) => {
    const chosen =
      itemIds?.map((itemId) => deletable(findItem(items, itemId), isForced)) ??
      [...items.values()].filter(({ state }) => state === 'missing');
    const committed = chosen
      .filter(({ remote }) => remote !== undefined)
      .map(({ filePath }): CommittedFile => ({ path: repositoryPath(session, filePath) }));
    return Promise.resolve({ plan: chosen, files: committed, message: message ?? describe('Delete', chosen) });
  });
  for (const item of plan) {
    if (item.local === undefined) await recordItems(session, files, { items: [item], principal, audit });
    else await files.accept(item, { text: undefined, expected: item.local, principal, audit });
  }
  const remove = plan.map(({ itemId }) => itemId);
  await session.settle({ remove, ...(commit === undefined ? {} : { commit }) });
  return remove;
}

function deletable(item: ComparedItem, isForced: boolean): ComparedItem {
  if (item.remote === undefined && item.base === undefined) throw itemUntracked(item.itemId);
  if (isForced || item.state === 'synced' || item.state === 'missing') return item;
  throw itemChanged(item.itemId, 'has changes that would be lost. Force it to delete them.');
}
