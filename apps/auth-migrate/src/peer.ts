/** The action that workflows migrate from. */
export const peerRepository = 'google-github-actions/auth';

export const peerMajors = [0, 1, 2, 3] as const;
export type PeerMajor = (typeof peerMajors)[number];

/** The release line of the peer that a reference names. */
export interface PeerRelease {
  /** Undefined for a branch, and for a commit without a comment that names its version. */
  readonly major: PeerMajor | undefined;
  readonly minor: number | undefined;
  readonly isCommit: boolean;
}

/** Reads what follows `@` in `uses`. The comment after a commit usually names its version. */
export function readPeerRelease(ref: string, comment: string): PeerRelease {
  const isCommit = /^[0-9a-f]{40}$/i.test(ref);
  const [, majorText, minorText] = /^[^\d]*?v?(\d+)(?:\.(\d+))?/.exec(isCommit ? comment : ref) ?? [];
  const major = peerMajors.find((known) => String(known) === majorText);
  const minor = major === undefined || minorText === undefined ? undefined : Number(minorText);
  return { major, minor, isCommit };
}
