import type { Sealed } from '../../encryption';

export interface ProfileEntry {
  readonly key: string;
  /** Encrypted for a secret. */
  readonly content: { readonly value: string } | { readonly sealed: Sealed };
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A profile, or the defaults of all runs or of a workspace. */
export interface StoredProfile {
  readonly id: string;
  /** `_global` and `_workspaces/NAME` for defaults. */
  readonly name: string;
  readonly description: string;
  readonly isDisabled: boolean;
  readonly isProtected: boolean;
  /** Only of defaults: the profile of runs whose start names none. */
  readonly defaultProfile: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** By key. */
  readonly entries: readonly ProfileEntry[];
}

export type ProfileChanges = Partial<
  Pick<StoredProfile, 'description' | 'isDisabled' | 'isProtected' | 'defaultProfile'>
> & { readonly updatedAt: Date };

export interface ProfileRepository {
  /** Lists profiles and defaults. */
  list(): Promise<readonly StoredProfile[]>;
  find(name: string): Promise<StoredProfile | undefined>;
  /** Inserts a profile without entries. Throws `profile_name_taken`. */
  insert(profile: StoredProfile): Promise<void>;
  /** Returns the profile afterwards. Throws `profile_not_found`. */
  update(name: string, changes: ProfileChanges): Promise<StoredProfile>;
  /** Adds an entry or replaces the one of its key. Returns the profile afterwards. Throws `profile_not_found`. */
  putEntry(name: string, entry: ProfileEntry): Promise<StoredProfile>;
  /** Returns whether there was one. */
  removeEntry(name: string, key: string, at: Date): Promise<boolean>;
  /** Removes the profile with its entries; it is no default any more. Throws `profile_not_found`. */
  remove(name: string): Promise<void>;
  /** Finds an encrypted value by the id of the profile. */
  findSecret(
    profileId: string,
    key: string,
  ): Promise<{ readonly isDisabled: boolean; readonly sealed: Sealed } | undefined>;
}

export const globalName = '_global';

export function workspaceLayerName(workspace: string): string {
  return `_workspaces/${workspace}`;
}

export function isLayerName(name: string): boolean {
  return name.startsWith('_');
}

/** Returns the context of sealing: a value cannot be opened as that of another profile or key. */
export function sealContext(profileId: string, key: string): string {
  return `profile ${profileId} ${key}`;
}

export function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1;
}

export function byKey(left: ProfileEntry, right: ProfileEntry): number {
  return left.key < right.key ? -1 : 1;
}
