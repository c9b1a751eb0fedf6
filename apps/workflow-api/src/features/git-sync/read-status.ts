import type { SyncItem, SyncItemDiffResponse, SyncStatus, SyncStatusResponse } from '@weir/workflow-contract/schemas';
import { canSee } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { compareItems, type ComparedItem } from './comparison';
import type { GitSyncStore, StoredItem, StoredSync } from './git-sync-store';
import type { LocalFiles } from './local-files';
import type { MirrorReader } from './mirror-reader';
import { findItem } from './publish';
import type { SyncConfig } from './sync-config';
import { itemNotFound, syncDisabled } from './sync-errors';
import type { SyncSettings } from '../../config/sync-settings';

export interface StatusPorts {
  readonly gitSync: GitSyncStore;
  readonly config: SyncConfig;
  readonly files: LocalFiles;
  readonly readMirror: MirrorReader;
}

/** Reads what callers may know of the files and of the last fetched repository. */
export function createStatusReader({ gitSync, config, files, readMirror }: StatusPorts) {
  const isSeen = async (item: ComparedItem, principal: Principal): Promise<boolean> => {
    if (principal.workspaceAccess.all) return true;
    // Without a file here, its workspace is not known.
    const text = item.local === undefined ? undefined : await files.readText(item);
    return text !== undefined && canSee(principal, await files.workspaceOf(item, text, principal));
  };

  return {
    async status(principal: Principal): Promise<SyncStatusResponse> {
      const settings = await config.readSettings();
      if (!settings.enabled) return presentStatus({ settings, stored: undefined, items: [], incoming: 0 });
      const all = [...compareItems(await gitSync.listItems(), await files.list()).values()];
      const items: SyncItem[] = [];
      for (const item of all) {
        if (item.status === undefined || !(await isSeen(item, principal))) continue;
        items.push(presentItem(item, item.status, item.localFile && (await files.modifiedAt(item.localFile))));
      }
      const incoming = principal.workspaceAccess.all
        ? all.filter(({ state }) => state === 'incoming').length
        : items.filter(({ behind }) => behind).length;
      return presentStatus({ settings, stored: await gitSync.read(), items, incoming });
    },

    /** Throws `sync_disabled` or `sync_item_not_found`, the latter also for a version of an invisible workspace. */
    async diff(itemId: string, principal: Principal): Promise<SyncItemDiffResponse> {
      const settings = await config.readSettings();
      if (!settings.enabled) throw syncDisabled();
      const item = findItem(compareItems(await gitSync.listItems(), await files.list()), itemId);
      if (!(await isSeen(item, principal))) throw itemNotFound(itemId);
      const hashes = [item.base, item.remote].flatMap((hash) => hash ?? []);
      const texts = await readMirror(settings, hashes);
      const contents = {
        baseContent: item.base === undefined ? undefined : texts.get(item.base),
        localContent: item.local === undefined ? undefined : await files.readText(item),
        remoteContent: item.remote === undefined ? undefined : texts.get(item.remote),
      };
      if (!principal.workspaceAccess.all) {
        for (const text of Object.values(contents)) {
          if (text !== undefined && !canSee(principal, await files.workspaceOf(item, text, principal))) {
            throw itemNotFound(itemId);
          }
        }
      }
      const { filePath, status = 'synced', kind, stored } = item;
      return { itemId, filePath, status, kind, ...contents, ...presentRemote(stored) };
    },
  };
}

function presentItem(item: ComparedItem, status: SyncStatus, modifiedAt: Date | undefined): SyncItem {
  const { itemId, filePath, name, kind, state, local, stored } = item;
  return {
    itemId,
    filePath,
    displayName: name,
    status,
    kind,
    behind: state === 'incoming',
    ...present('localHash', local),
    ...present('modifiedAt', modifiedAt?.toISOString()),
    ...present('baseCommit', stored?.baseCommit),
    ...present('lastSyncedHash', stored?.baseHash),
    ...present('lastSyncedAt', stored?.baseAt?.toISOString()),
    ...present('conflictDetectedAt', stored?.conflictAt?.toISOString()),
    ...present('missingAt', stored?.missingAt?.toISOString()),
    ...presentRemote(stored),
  };
}

function presentRemote(stored: StoredItem | undefined) {
  return {
    ...present('remoteCommit', stored?.remoteCommit),
    ...present('remoteAuthor', stored?.remoteAuthor),
    ...present('remoteMessage', stored?.remoteMessage),
  };
}

function present<Name extends string>(name: Name, value: string | null | undefined): Partial<Record<Name, string>> {
  return (value === null || value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>;
}

interface Status {
  readonly settings: SyncSettings;
  readonly stored: StoredSync | undefined;
  readonly items: SyncItem[];
  readonly incoming: number;
}

function presentStatus({ settings, stored, items, incoming }: Status): SyncStatusResponse {
  const count = (status: SyncStatus): number => items.filter((item) => item.status === status).length;
  const counts = {
    synced: count('synced'),
    modified: count('modified'),
    untracked: count('untracked'),
    conflict: count('conflict'),
    missing: count('missing'),
  };
  const isPending = counts.modified + counts.untracked + incoming > 0;
  const error = stored?.lastError;
  const { enabled, repository, branch } = settings;
  return {
    ...(enabled ? { enabled, repository, branch } : { enabled }),
    summary:
      error !== undefined
        ? 'error'
        : counts.conflict > 0
          ? 'conflict'
          : counts.missing > 0
            ? 'missing'
            : isPending
              ? 'pending'
              : 'synced',
    ...present('lastSyncAt', stored?.lastSyncAt?.toISOString()),
    ...present('lastSyncCommit', stored?.remoteCommit),
    ...(error !== undefined
      ? { lastSyncStatus: 'error', lastError: error }
      : stored?.lastSyncAt === undefined
        ? {}
        : { lastSyncStatus: 'success' }),
    incoming,
    items,
    counts,
  };
}
