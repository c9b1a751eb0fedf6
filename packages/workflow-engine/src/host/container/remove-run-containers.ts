import { within } from '../concurrency/end-or-stop';
import { withDeadline } from './with-deadline';
import { connectEngine } from './connect-engine';
import { dagLabel, keepLabel, runLabel } from './open-container';

export interface RunOfContainers {
  readonly dagName: string;
  /** Unique only within the DAG. */
  readonly runId: string;
}

const removeWithinMs = 30_000;

/**
 * Removes the containers that a run left behind when its owner died, except retained ones. Resolves to how many were
 * found; throws an `AppError` when no engine can be reached.
 */
export async function removeRunContainers(
  { dagName, runId }: RunOfContainers,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const docker = await connectEngine(env);
  const filters = JSON.stringify({ label: [`${runLabel}=${runId}`, `${dagLabel}=${dagName}`] });
  const found = (await withDeadline(docker.listContainers({ all: true, filters }), 'lost')).filter(
    ({ Labels }) => Labels[keepLabel] !== 'true',
  );
  await Promise.all(
    found.map(({ Id }) =>
      // A container that is gone meanwhile needs no removal; one that cannot be removed is found again next time.
      within(
        docker
          .getContainer(Id)
          .remove({ force: true, v: true })
          .catch(() => undefined),
        removeWithinMs,
      ),
    ),
  );
  return found.length;
}
