import { waitFor } from '@weir/test-kit';
import type { DagRunDetails } from '@weir/workflow-contract/schemas';
import type { Weir } from './weir-server';

const active = new Set(['running', 'queued', 'not_started', 'waiting']);

/** Waits until a run has ended and returns it. */
export async function endOfRun(weir: Weir, token: string, name: string, dagRunId: string): Promise<DagRunDetails> {
  return waitFor(
    async () => {
      const { dagRunDetails } = await weir.createClient(token).getDagRunDetails({ params: { name, dagRunId } });
      return active.has(dagRunDetails.statusLabel) ? undefined : dagRunDetails;
    },
    { deadlineMs: 60_000, what: `the end of the run ${dagRunId}` },
  );
}
