/** The actions that workflows migrate from. */
export const peers = {
  google: { repository: 'google-github-actions/auth', majors: [0, 1, 2, 3] },
  aws: { repository: 'aws-actions/configure-aws-credentials', majors: [1, 2, 3, 4, 5, 6] },
  azure: { repository: 'azure/login', majors: [1, 2, 3] },
} as const;

export type PeerName = keyof typeof peers;

export const peerMajors = peers.google.majors;
export type PeerMajor = (typeof peerMajors)[number];

/** The release line of the peer that a reference names. */
export interface PeerRelease {
  /** Undefined for a branch, and for a commit without a comment that names its version. */
  readonly major: number | undefined;
  readonly minor: number | undefined;
  readonly isCommit: boolean;
}

/** Names of owners and repositories have no case. */
export function findPeer(repository: string): PeerName | undefined {
  const names = Object.keys(peers) as PeerName[];
  return names.find((name) => peers[name].repository === repository.toLowerCase());
}

/** Reads what follows `@` in `uses`. The comment after a commit usually names its version. */
export function readPeerRelease(peer: PeerName, ref: string, comment: string): PeerRelease {
  const isCommit = /^[0-9a-f]{40}$/i.test(ref);
  const [, majorText, minorText] = /^[^\d]*?v?(\d+)(?:\.(\d+))?/.exec(isCommit ? comment : ref) ?? [];
  const majors: readonly number[] = peers[peer].majors;
  const major = majors.find((known) => String(known) === majorText);
  const minor = major === undefined || minorText === undefined ? undefined : Number(minorText);
  return { major, minor, isCommit };
}
