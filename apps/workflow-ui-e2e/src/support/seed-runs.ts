import { waitFor } from '@weir/test-kit';
import type { UiServer } from './start-server';

const failing = `description: Exports the ledger
labels: finance
schedule: "0 2 * * *"
steps:
  - id: export
    run: echo "the ledger is locked" >&2; exit 3
`;

/** Starts a DAG and waits until its run is like this. */
export async function startAndWait(server: UiServer, name: string, label: string, body: object = {}): Promise<void> {
  const answer = await server.call('POST', `/dags/${name}/start`, body);
  if (!answer.ok) throw new Error(`The start of ${name} was answered ${answer.status}.`);
  await waitFor(
    async () => {
      const latest = await server.call('GET', `/dag-runs/${name}/latest`);
      const { dagRunDetails } = (await latest.json()) as { dagRunDetails?: { statusLabel: string } };
      return dagRunDetails?.statusLabel === label;
    },
    { deadlineMs: 30_000, what: `the run of ${name} to be ${label}` },
  );
}

/** Sets the server up with runs that have succeeded, have failed and wait for a person. */
export async function seedRuns(server: UiServer): Promise<void> {
  await server.setUp();
  await server.call('POST', '/dags', { name: 'export-ledger', spec: failing });
  await startAndWait(server, 'merge-sources', 'succeeded');
  await startAndWait(server, 'export-ledger', 'failed');
  await startAndWait(server, 'release-approval', 'waiting');
}
