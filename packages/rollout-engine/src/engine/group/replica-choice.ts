/** A 32-bit hash of a session and a replica, the same in every process. */
function affinity(sessionId: string, key: string): number {
  // FNV-1a with a final mix: keys of replicas often differ only in their last character.
  let hash = 0x811c9dc5;
  for (const text of [sessionId, '\0', key]) {
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    }
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface Candidate {
  readonly key: string;
  /** Running generations. */
  readonly load: number;
}

/**
 * The replica of a session by rendezvous hashing: when a replica goes down, only its sessions move. `undefined` without
 * candidates.
 */
export function selectReplica<Replica extends Candidate>(
  sessionId: string,
  candidates: readonly Replica[],
): Replica | undefined {
  let best: Replica | undefined;
  let bestScore = -1;
  for (const candidate of candidates) {
    const score = affinity(sessionId, candidate.key);
    if (score > bestScore) [best, bestScore] = [candidate, score];
  }
  return best;
}

export function leastLoaded<Replica extends Candidate>(candidates: readonly Replica[]): Replica | undefined {
  let best: Replica | undefined;
  for (const candidate of candidates) if (best === undefined || candidate.load < best.load) best = candidate;
  return best;
}
