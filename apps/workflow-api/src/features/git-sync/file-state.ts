import type { SyncStatus } from '@weir/workflow-contract/schemas';

/** Git hashes of a file's content; `undefined` where there is no file. */
export interface Versions {
  /** The version when both sides were last the same. */
  readonly base: string | undefined;
  readonly local: string | undefined;
  /** The version that was last fetched. */
  readonly remote: string | undefined;
}

/**
 * The difference of the three versions of a file. `absent` files are on neither side, or only remembered; `incoming`
 * ones are new in the repository and unchanged here; the other states are shown to people.
 */
export type FileState = SyncStatus | 'absent' | 'incoming';

/** A change of one side alone belongs to that side; different changes on both sides are a conflict. */
export function compareVersions({ base, local, remote }: Versions): FileState {
  if (local === remote) return local === undefined ? 'absent' : 'synced';
  if (local === base) return 'incoming';
  if (remote !== base) return 'conflict';
  if (base === undefined) return 'untracked';
  return local === undefined ? 'missing' : 'modified';
}

/** Returns the status that people see; `undefined` for a file that is not here and never was. */
export function toStatus({ local }: Pick<Versions, 'local'>, state: FileState): SyncStatus | undefined {
  if (state === 'absent') return undefined;
  if (state !== 'incoming') return state;
  return local === undefined ? undefined : 'synced';
}

/** Returns the version that a pull leaves here. Changes that were made here are never replaced. */
export function pulledVersion(versions: Versions): string | undefined {
  return compareVersions(versions) === 'incoming' ? versions.remote : versions.local;
}

/**
 * Returns the version of a file that a publication leaves in the repository, or the reason why it leaves the
 * repository alone.
 */
export function publishedVersion(
  versions: Versions,
  isForced: boolean,
): { readonly remote: string | undefined } | 'conflict' | 'missing' | 'nothing' {
  const state = compareVersions(versions);
  if (state === 'conflict' && !isForced) return 'conflict';
  if (state === 'missing' || (state === 'conflict' && versions.local === undefined)) return 'missing';
  if (state === 'modified' || state === 'untracked' || state === 'conflict') return { remote: versions.local };
  return 'nothing';
}
