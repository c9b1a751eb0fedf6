import { isAppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import { compareItems, newStoredItem, settleItems, type ComparedItem } from './comparison';
import type { GitSyncStore, StoredItem, StoredOutcome } from './git-sync-store';
import type { LocalFiles } from './local-files';
import type { Mirror } from './mirror';
import { withMirror, type OpenMirrorPorts } from './open-mirror';
import type { RemoteTree } from './remote-tree';
import type { SyncConfig } from './sync-config';
import { repositoryFailed, syncDisabled } from './sync-errors';
import { holdSyncLock, type SyncLockPorts } from './sync-lock';
import type { SyncSettings } from '../../config/sync-settings';

export interface SyncSessionPorts extends SyncLockPorts, OpenMirrorPorts {
  readonly gitSync: GitSyncStore;
  readonly config: SyncConfig;
  readonly files: LocalFiles;
  readonly clock: Clock;
  /** Ends all work when the server stops. */
  readonly stopping: AbortSignal;
}

export interface Fetched {
  readonly commit: string | undefined;
  readonly tree: RemoteTree;
  readonly items: ReadonlyMap<string, ComparedItem>;
}

/** The repository and the files of this server, which no other process synchronises at the same time. */
export interface SyncSession {
  readonly settings: SyncSettings;
  readonly mirror: Mirror;
  /** Fetches the repository, and compares. */
  fetch(): Promise<Fetched>;
  /** Compares the present files with the repository as last fetched. */
  compare(): Promise<ReadonlyMap<string, ComparedItem>>;
  /** Stores the results, and that a synchronisation succeeded. */
  settle(changes?: {
    readonly put?: readonly StoredItem[];
    readonly remove?: readonly string[];
    readonly commit?: string;
  }): Promise<ReadonlyMap<string, ComparedItem>>;
}

export type WithSession = <T>(work: (session: SyncSession) => Promise<T>) => Promise<T>;

const timeoutMs = 600_000;

/** Throws `sync_disabled`, `sync_busy`, `git_missing`, `sync_credential_unreadable` or `sync_repository_failed`. */
export function createWithSession(ports: SyncSessionPorts): WithSession {
  const { gitSync, config, stopping } = ports;
  return async (work) => {
    const settings = await config.readSettings();
    if (!settings.enabled) throw syncDisabled();
    const secrets = await config.readCredentials(settings);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await holdSyncLock(ports, AbortSignal.any([stopping, limit]), (signal) =>
        withMirror(ports, { settings, secrets, signal }, (mirror) => work(createSession(ports, settings, mirror))),
      );
    } catch (error) {
      const failure = limit.aborted && !isAppError(error) ? tooLong(error) : error;
      if (isAppError(failure) && failure.code === 'upstream_failed') {
        await gitSync.save({ put: [], remove: [] }, { lastError: failure.message });
      }
      throw failure;
    }
  };
}

function tooLong(cause: unknown) {
  return repositoryFailed(`there was no end within ${timeoutMs / 1000} seconds.`, cause);
}

function createSession(
  { gitSync, files, clock }: SyncSessionPorts,
  settings: SyncSettings,
  mirror: Mirror,
): SyncSession {
  const compare = async () => compareItems(await gitSync.listItems(), await files.list());
  return {
    settings,
    mirror,
    compare,

    fetch: async () => {
      const { remoteCommit: former } = await gitSync.read();
      const commit = await mirror.fetch();
      const tree = await mirror.readTree(commit);
      const changes = await readChanges(mirror, await gitSync.listItems(), { commit, former, tree });
      await gitSync.save(changes, { remoteCommit: commit ?? null });
      return { commit, tree, items: await compare() };
    },

    settle: async ({ put = [], remove = [], commit } = {}) => {
      const now = clock.now();
      const outcome: StoredOutcome = { lastSyncAt: now, lastError: null, ...(commit && { remoteCommit: commit }) };
      await gitSync.save({ put, remove }, outcome);
      const items = await compare();
      const settled = settleItems(items.values(), now);
      if (settled.put.length === 0 && settled.remove.length === 0) return items;
      await gitSync.save(settled, {});
      return compare();
    },
  };
}

interface Moved {
  readonly commit: string | undefined;
  readonly former: string | undefined;
  readonly tree: RemoteTree;
}

/** Returns the rows that differ from the present content of the repository. */
async function readChanges(mirror: Mirror, stored: readonly StoredItem[], { commit, former, tree }: Moved) {
  const byId = new Map(stored.map((item) => [item.itemId, item]));
  const changed: StoredItem[] = [];
  for (const file of tree.files.values()) {
    const row = byId.get(file.itemId) ?? newStoredItem(file, file.filePath);
    if (row.remoteHash === file.hash && row.filePath === file.filePath) continue;
    changed.push({ ...row, filePath: file.filePath, remoteHash: file.hash });
  }
  const gone = stored.filter(({ itemId, remoteHash }) => remoteHash !== null && !tree.files.has(itemId));
  changed.push(...gone.filter(({ baseHash }) => baseHash !== null).map((row) => ({ ...row, remoteHash: null })));
  const remove = gone.filter(({ baseHash }) => baseHash === null).map(({ itemId }) => itemId);
  if (commit === undefined || changed.length === 0) return { put: changed, remove };
  const found = await mirror.findChanges(commit, former, new Set(changed.map(({ filePath }) => filePath)));
  const put = changed.map((row): StoredItem => {
    const change = found.get(row.filePath);
    if (change === undefined) return row;
    return { ...row, remoteCommit: change.commit, remoteAuthor: change.author, remoteMessage: change.message };
  });
  return { put, remove };
}
