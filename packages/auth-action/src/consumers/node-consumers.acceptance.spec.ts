import process from 'node:process';
import { findNode, type ProgramStep } from '@weir/actions-runner';
import { describeUnless } from '@weir/test-kit';
import { expectGranted, expectedRequests, runConsumerJob, type Mode, type Route } from './testing/consumer-job';
import { authLibraryStep, storageStep } from './testing/consumer-steps';

const node = process.execPath;
const tunnels: Readonly<Record<Mode, readonly string[]>> = {
  'a service account': ['iamcredentials.googleapis.com:443', 'storage.googleapis.com:443', 'sts.googleapis.com:443'],
  'direct federation': ['storage.googleapis.com:443', 'sts.googleapis.com:443'],
  'a key': ['oauth2.googleapis.com:443', 'storage.googleapis.com:443'],
};

interface Client {
  readonly name: string;
  readonly step: ProgramStep;
  /** The host where it redeems the assertions of a key. */
  readonly keyHost?: string;
}

const clients: readonly Client[] = [
  { name: 'google-auth-library 9', step: authLibraryStep(node, 9), keyHost: 'www.googleapis.com:443' },
  { name: 'google-auth-library 10', step: authLibraryStep(node, 10) },
  { name: 'google-auth-library 11', step: authLibraryStep(node, 11) },
  { name: '@google-cloud/storage 8', step: storageStep(node) },
];

describe.each(clients)('$name', ({ step, keyHost }) => {
  it.each<[Mode, Route]>([
    ['a service account', 'on loopback'],
    ['direct federation', 'on loopback'],
    ['a service account', 'at the real hosts'],
    ['direct federation', 'at the real hosts'],
    // The token address of a key is fixed in these clients.
    ['a key', 'at the real hosts'],
  ])('calls the API as %s %s', async (mode, route) => {
    const end = await runConsumerJob({ mode, route, consumers: [step] });

    expectGranted(end, { mode, route: route });
    expect(end.requested).toEqual(expectedRequests[mode]);
    const hosts = route === 'on loopback' ? [] : tunnels[mode];
    const isOther = mode === 'a key' && keyHost !== undefined;
    expect(end.tunnels).toEqual(isOther ? [...hosts.slice(1), keyHost] : hosts);
  });
});

describe('a client library', () => {
  it('requests the project if neither account nor input names it', async () => {
    const job = { mode: 'direct federation', route: 'at the real hosts' } as const;
    // With gcloud in PATH it would ask gcloud first.
    const consumers = [{ ...authLibraryStep(node, 11), env: { PATH: __dirname } }];

    const end = await runConsumerJob({ ...job, consumers, inputs: { project_id: '' } });

    expectGranted(end, job);
    expect(end.apiCalls.map(({ host }) => host)).toEqual([
      'cloudresourcemanager.googleapis.com',
      'storage.googleapis.com',
    ]);
  });

  it('reports the error of the cloud if the job cannot impersonate the account', async () => {
    const job = { mode: 'a service account', route: 'on loopback' } as const;
    const account = { email: 'deployer@example-project.iam.gserviceaccount.com', uniqueId: '1', impersonators: [] };

    const end = await runConsumerJob({
      ...job,
      consumers: [authLibraryStep(node, 11)],
      cloud: { accounts: [account] },
    });

    expect(end.outcome).toBe('failure');
    expect(end.logs[0]).toContain('iam.serviceAccounts.getAccessToken');
    expect({ apiCalls: end.apiCalls, leaked: end.leaked, leftovers: end.leftovers }).toEqual({
      apiCalls: [],
      leaked: [],
      leftovers: [],
    });
  });
});

const node20 = findNode(20);
const missing20 = node20 === undefined ? 'it is not in PATH' : undefined;

describeUnless(missing20, 'no client was run on Node 20')('on Node 20', () => {
  it('action and client library do as on later ones', async () => {
    const job = { mode: 'a service account', route: 'at the real hosts' } as const;
    const program = node20 ?? node;

    const end = await runConsumerJob({
      ...job,
      consumers: [authLibraryStep(program, 9), authLibraryStep(program, 10)],
      runner: { node: program },
    });

    expectGranted(end, job);
    expect(end.requested).toEqual([...expectedRequests[job.mode], ...expectedRequests[job.mode]]);
  });
});
