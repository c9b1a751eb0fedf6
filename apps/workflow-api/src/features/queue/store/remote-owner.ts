/** Workers without a database have ids that begin with this: they keep their runs by heartbeats on every database. */
export const remoteOwnerPrefix = 'https.';

/** Such a worker keeps its runs for this time without a heartbeat: a server may be restarted meanwhile. */
export const remoteLeaseMs = 60_000;

export function isRemoteOwner(id: string): boolean {
  return id.startsWith(remoteOwnerPrefix);
}

/** The beginning of the ids of all workers with this token. Its name, for people, can be given again, but not its id. */
export function remoteWorkerPrefix({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${remoteOwnerPrefix}${name}.${id.slice(0, 8)}.`;
}
