import type { SyncStatus } from '@weir/workflow-contract/schemas';

/** Git hashes of a file's content; `undefined` where there is no file. */
export interface Versions {
  /** When both sides were last the same. */
  readonly base: string | undefined;
  readonly local: string | undefined;
  /** As last fetched. */
  readonly remote: string | undefined;
}

/**
 * How the three versions of a file differ. `absent` is nowhere, or only remembered; `incoming` is new in the repository
 * and unchanged here; the others are what people are told.
 */
export type FileState = SyncStatus | 'absent' | 'incoming';

/** A change of one side alone belongs to that side; what was changed on both sides, and differs, is a conflict. */
export function compareVersions({ base, local, remote }: Versions): FileState {
  if (local === remote) return local === undefined ? 'absent' : 'synced';
  if (local === base) return 'incoming';
  if (remote !== base) return 'conflict';
  if (base === undefined) return 'untracked';
  return local === undefined ? 'missing' : 'modified';
}

/** What people are told of a file; `undefined` for one that is not here and never was. */
export function toStatus({ local }: Pick<Versions, 'local'>, state: FileState): SyncStatus | undefined {
  if (state === 'absent') return undefined;
  if (state !== 'incoming') return state;
  return local === undefined ? undefined : 'synced';
}

/** The version that a pull leaves here. Nothing that was changed here is replaced. */
export function pulledVersion(versions: Versions): string | undefined {
  return compareVersions(versions) === 'incoming' ? versions.remote : versions.local;
}

/** The version of a file that a publication leaves in the repository, or why it leaves the repository alone. */
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
