import type { SyncStatus } from '@weir/workflow-contract/schemas';
import { compareVersions, toStatus, type FileState, type Versions } from './file-state';
import type { StoredItem } from './git-sync-store';
import type { LocalFile } from './local-files';
import { dagItem, parseItemId, type ItemName } from './sync-item';

/** A file with its versions on both sides. */
export interface ComparedItem extends ItemName, Versions {
  /** The path below the path of the repository. */
  readonly filePath: string;
  readonly stored: StoredItem | undefined;
  readonly localFile: LocalFile | undefined;
  readonly state: FileState;
  /** `undefined` for a file that is not here and never was. */
  readonly status: SyncStatus | undefined;
}

/** Compares every file that is here or known of the repository, by id. */
export function compareItems(
  stored: readonly StoredItem[],
  local: ReadonlyMap<string, LocalFile>,
): ReadonlyMap<string, ComparedItem> {
  const byId = new Map(stored.map((item) => [item.itemId, item]));
  const ids = [...new Set([...byId.keys(), ...local.keys()])].sort();
  return new Map(ids.map((itemId) => [itemId, compareItem(itemId, byId.get(itemId), local.get(itemId))]));
}

function compareItem(itemId: string, stored: StoredItem | undefined, localFile: LocalFile | undefined): ComparedItem {
  const versions = {
    base: stored?.baseHash ?? undefined,
    local: localFile?.hash,
    remote: stored?.remoteHash ?? undefined,
  };
  const state = compareVersions(versions);
  const filePath = stored?.filePath ?? localFile?.filePath ?? '';
  const name = parseItemId(itemId) ?? dagItem(itemId);
  return { ...name, ...versions, filePath, stored, localFile, state, status: toStatus(versions, state) };
}

/** Creates the stored item of a file of which nothing is known yet. */
export function newStoredItem({ itemId, kind }: ItemName, filePath: string): StoredItem {
  return {
    itemId,
    kind,
    filePath,
    baseHash: null,
    baseCommit: null,
    baseAt: null,
    remoteHash: null,
    remoteCommit: null,
    remoteAuthor: null,
    remoteMessage: null,
    conflictAt: null,
    missingAt: null,
  };
}

/** Returns the rows to store with the result of the comparison: both sides are the same, in conflict, or one is gone. */
export function settleItems(
  items: Iterable<ComparedItem>,
  now: Date,
): { readonly put: readonly StoredItem[]; readonly remove: readonly string[] } {
  const put: StoredItem[] = [];
  const remove: string[] = [];
  for (const item of items) {
    const { stored, state, remote } = item;
    if (stored === undefined) continue;
    if (state === 'absent') {
      remove.push(item.itemId);
      continue;
    }
    const settled: StoredItem = {
      ...stored,
      ...(state === 'synced' && stored.baseHash !== remote
        ? { baseHash: remote ?? null, baseCommit: stored.remoteCommit, baseAt: now }
        : {}),
      conflictAt: state === 'conflict' ? (stored.conflictAt ?? now) : null,
      missingAt: state === 'missing' ? (stored.missingAt ?? now) : null,
    };
    if (!isSame(settled, stored)) put.push(settled);
  }
  return { put, remove };
}

function isSame(one: StoredItem, other: StoredItem): boolean {
  return (Object.keys(one) as (keyof StoredItem)[]).every((key) => one[key] === other[key]);
}
