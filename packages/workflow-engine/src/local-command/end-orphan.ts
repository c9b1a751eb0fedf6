import type { ProcessIdentity } from '../scope/step-ports';
import { endProcessGroup } from './process-group';
import { processIdentity } from './process-identity';

/**
 * `gone`: no such process any more, or its number now belongs to another one, which is left alone.
 * `ended`: it and its group have been ended. `alive`: it did not go even by SIGKILL.
 */
export type OrphanEnd = 'gone' | 'ended' | 'alive';

/** Ends the process group that a dead owner left behind, only if number and start time both match. */
export async function endOrphan(orphan: ProcessIdentity, killGraceMs = 5_000): Promise<OrphanEnd> {
  const found = await processIdentity(orphan.pid);
  if (found?.startedAt !== orphan.startedAt) return 'gone';
  return (await endProcessGroup(orphan.pid, killGraceMs)) ? 'ended' : 'alive';
}
