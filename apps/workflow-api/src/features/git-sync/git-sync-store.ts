import type { SyncItemKind } from '@weir/workflow-contract/schemas';
import type { Sealed, SealedRows } from '../../encryption';
import type { SyncSettings } from '../../config/sync-settings';

/** The facts about a file besides its content here. */
export interface StoredItem {
  readonly itemId: string;
  readonly kind: SyncItemKind;
  /** The path below the path of the repository. */
  readonly filePath: string;
  readonly baseHash: string | null;
  readonly baseCommit: string | null;
  readonly baseAt: Date | null;
  readonly remoteHash: string | null;
  readonly remoteCommit: string | null;
  readonly remoteAuthor: string | null;
  readonly remoteMessage: string | null;
  readonly conflictAt: Date | null;
  readonly missingAt: Date | null;
}

export interface StoredSync {
  /** Missing until settings are stored. */
  readonly settings: SyncSettings | undefined;
  /** Credentials and the secret of the push hook. */
  readonly sealed: Sealed | undefined;
  /** The commit of the branch that was last fetched. */
  readonly remoteCommit: string | undefined;
  readonly lastSyncAt: Date | undefined;
  readonly lastError: string | undefined;
}

export interface StoredOutcome {
  readonly remoteCommit?: string | null;
  readonly lastSyncAt?: Date;
  readonly lastError?: string | null;
}

/** The context with which the credentials are sealed. */
export const syncSealContext = 'git sync';

export interface GitSyncStore extends SealedRows {
  read(): Promise<StoredSync>;
  /** With `forgets`, the facts about the files of the former repository are removed. */
  writeSettings(
    settings: SyncSettings,
    sealed: Sealed | undefined,
    options: { readonly forgets: boolean },
  ): Promise<void>;
  listItems(): Promise<readonly StoredItem[]>;
  /** Saves both changes or neither. */
  save(
    items: { readonly put: readonly StoredItem[]; readonly remove: readonly string[] },
    outcome: StoredOutcome,
  ): Promise<void>;
  /** Takes the lock when it has no owner, or its owner has not renewed it in time. */
  lock(owner: string, now: Date, until: Date): Promise<boolean>;
  /** Returns false when another owner has the lock. */
  renewLock(owner: string, until: Date): Promise<boolean>;
  unlock(owner: string): Promise<void>;
}
