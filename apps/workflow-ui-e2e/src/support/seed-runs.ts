import { waitFor } from '@weir/test-kit';
import type { UiServer } from './start-server';

const failing = `description: Exports the ledger
group: nightly
labels: finance
schedule: "0 2 * * *"
steps:
  - id: export
    run: echo "the ledger is locked" >&2; exit 3
`;

/** Starts a DAG and waits until its run is like this. */
export async function startAndWait(server: UiServer, name: string, label: string, body: object = {}): Promise<void> {
  const answer = await server.call('POST', `/dags/${name}/start`, body);
  // A case that is tried again finds the run of its first try.
  const isThere = answer.status === 409 && 'dagRunId' in body;
  if (!answer.ok && !isThere) throw new Error(`The start of ${name} was answered ${answer.status}.`);
  await waitFor(
    async () => {
      const latest = await server.call('GET', `/dag-runs/${name}/latest`);
      const { dagRunDetails } = (await latest.json()) as { dagRunDetails?: { statusLabel: string } };
      return dagRunDetails?.statusLabel === label;
    },
    { deadlineMs: 30_000, what: `the run of ${name} to be ${label}` },
  );
}

const busy = 'group: training\nqueue: heavy\nsteps:\n  - id: train\n    run: sleep 600\n';
const [mergeRuns, ledgerRuns] = [9, 4];

/** The same with a history of several runs and revisions, so that its screens show what they are for. */
export async function seedHistory(server: UiServer): Promise<void> {
  await seedRuns(server);
  const revised = `${failing}    retry_policy: { limit: 1, interval_sec: 1 }\n`;
  await send(server, 'PUT', '/dags/export-ledger/spec', { spec: revised });
  await send(server, 'PUT', '/dags/export-ledger/spec', { spec: failing });
  for (let run = 1; run < mergeRuns; run += 1) await startAndWait(server, 'merge-sources', 'succeeded');
  for (let run = 1; run < ledgerRuns; run += 1) await startAndWait(server, 'export-ledger', 'failed');
}

/** The server itself as another one, and one that does not answer. */
async function seedNodes(server: UiServer): Promise<void> {
  const created = await server.call('POST', '/api-keys', { name: 'headquarters', role: 'viewer' });
  const { key } = (await created.json()) as { key: string };
  const west = { name: 'west', description: 'Of the west coast', apiBaseUrl: `${server.url}api/v1` };
  await send(server, 'POST', '/remote-nodes', { ...west, authType: 'token', authToken: key });
  const lost = { name: 'cellar', description: 'Backups', apiBaseUrl: 'http://127.0.0.1:9/api/v1', authType: 'none' };
  await send(server, 'POST', '/remote-nodes', lost);
}

/** A queue in use, documents, workspaces, secrets, a webhook, Git sync and a key. */
export async function seedOperation(server: UiServer): Promise<void> {
  await send(server, 'POST', '/dags', { name: 'train-model', spec: busy });
  await startAndWait(server, 'train-model', 'running', { dagRunId: 'train-monday' });
  for (const dagRunId of ['train-tuesday', 'train-wednesday']) {
    await send(server, 'POST', '/dags/train-model/enqueue', { dagRunId });
  }
  const runbook = '# When the ledger is locked\n\n1. Look who holds the **lock**.\n2. Retry `export-ledger`.\n';
  await send(server, 'POST', '/docs', { id: 'runbooks/locked-ledger', content: runbook });
  await send(server, 'POST', '/docs', { id: 'welcome', content: '# Welcome\n\nWhat runs here, and why.\n' });
  await send(server, 'POST', '/workspaces', { name: 'finance', description: 'Ledgers and invoices' });
  await send(server, 'POST', '/workspaces', { name: 'research', description: 'Training and evaluation' });
  const stored = { ref: 'payments/api', description: 'Key of the payment provider', value: 's3cr3t-value' };
  await send(server, 'POST', '/secrets', { ...stored, providerType: 'dagu-managed' });
  await send(server, 'POST', '/secrets', { ref: 'ledger/password', providerType: 'dagu-managed' });
  await send(server, 'POST', '/dags/export-ledger/webhook');
  await send(server, 'PUT', '/sync/config', { enabled: true, repository: 'https://git.example/team/dags.git' });
  await seedNodes(server);
  await send(server, 'POST', '/api-keys', { name: 'nightly-export', role: 'operator' });
}

async function send(server: UiServer, method: string, address: string, body?: object): Promise<void> {
  const answer = await server.call(method, address, body);
  if (!answer.ok) throw new Error(`${method} ${address} was answered ${answer.status}: ${await answer.text()}`);
}

/** Sets the server up with runs that have succeeded, have failed and wait for a person. */
export async function seedRuns(server: UiServer): Promise<void> {
  await server.setUp();
  await server.call('POST', '/dags', { name: 'export-ledger', spec: failing });
  await startAndWait(server, 'merge-sources', 'succeeded');
  await startAndWait(server, 'export-ledger', 'failed');
  await startAndWait(server, 'release-approval', 'waiting');
}
