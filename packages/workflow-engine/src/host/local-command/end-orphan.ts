import type { ProcessIdentity } from '../../model/steps/step-outcome';
import { endProcessFamily } from './process-group';
import { processIdentity } from './process-identity';

/**
 * `gone`: the process no longer exists, or its pid belongs to another process, which is not touched. `ended`: the process,
 * its group and what left the group were ended. `alive`: it survived SIGKILL.
 */
export type OrphanEnd = 'gone' | 'ended' | 'alive';

/** Ends the process group of a dead owner, but only when both pid and start time match. */
export async function endOrphan(orphan: ProcessIdentity, killGraceMs = 5_000): Promise<OrphanEnd> {
  const found = await processIdentity(orphan.pid);
  if (found?.startedAt !== orphan.startedAt) return 'gone';
  return (await endProcessFamily(orphan.pid, killGraceMs)) ? 'ended' : 'alive';
}
