import { existsSync } from 'node:fs';
import path from 'node:path';
import { createTestAuthority, startConnectProxy, type ConnectProxy, type FakeCloud } from '@weir/fake-cloud';
import { expectSuccess } from './testing/job-assertions';
import { peerAccount, peerJobs, peerProject, peerProvider, peerUser, type PeerStep } from './testing/peer-jobs';
import type { Inputs } from './testing/run-in-process';
import { describeEachNode, type JobEnd } from './testing/run-job';

const projectVariables = [
  'CLOUDSDK_CORE_PROJECT',
  'CLOUDSDK_PROJECT',
  'GCLOUD_PROJECT',
  'GCP_PROJECT',
  'GOOGLE_CLOUD_PROJECT',
];
const fileVariables = [
  'CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_GHA_CREDS_PATH',
];

function describeStep({ tokens }: FakeCloud, step: JobEnd['steps'][number], { outputs }: PeerStep) {
  const { outputs: seen, env } = step;
  return {
    project: seen.project_id === '' ? undefined : seen.project_id,
    hasFile: path.isAbsolute(seen.credentials_file_path ?? ''),
    hasAuthToken: (seen.auth_token ?? '') !== '',
    tokens: Object.keys(outputs.tokens).map((name) => {
      const found = tokens.all().find(({ secret }) => secret === seen[name]);
      return `${name}: ${String(found?.kind)}, ${String(found?.principal).replace(/\/\/iam\.googleapis\.com\/.*/, '//iam.googleapis.com/')}`;
    }),
    variables: Object.keys(env).sort(),
  };
}

/** Expects the values that the peer sets for the same inputs. */
function expectStep({ outputs: { project, hasFile, tokens } }: PeerStep) {
  return {
    project,
    hasFile,
    hasAuthToken: true,
    tokens: Object.entries(tokens).map(([name, { kind, principal }]) => `${name}: ${kind}, ${principal}`),
    variables: [...(hasFile ? fileVariables : []), ...(project === undefined ? [] : projectVariables)].sort(),
  };
}

describeEachNode((runJob) => {
  describe('a job of the best-known action, with nothing but the name changed', () => {
    const authority = createTestAuthority();
    let proxy: ConnectProxy | undefined;
    afterEach(() => proxy?.stop());
    afterAll(() => authority.remove());

    it.each(peerJobs)('$name', async ({ steps, unknown = [] }) => {
      let fileIsThere = false;
      const end = await runJob({
        cloud: {
          authority,
          provider: peerProvider,
          delegatedUsers: [peerUser],
          accounts: [
            { email: peerAccount, uniqueId: '100000000000000000001', impersonators: ['federation', peerAccount] },
          ],
        },
        // Uses the hosts of Google, so that no input is added.
        around: async (fake) => {
          proxy = await startConnectProxy({ route: fake.route, ca: authority });
          return proxy.env;
        },
        with: (fake) =>
          steps.map(({ inputs }) =>
            fillIn(inputs, JSON.stringify({ ...fake.serviceAccountKey(), project_id: peerProject })),
          ),
        steps: [{ inspect: ({ env }) => void (fileIsThere = existsSync(env.GOOGLE_APPLICATION_CREDENTIALS ?? '')) }],
      });

      expectSuccess(end);
      const auth = steps.flatMap((wanted, index) => {
        const step = end.steps[index];
        return step === undefined ? [] : [describeStep(end.fake, step, wanted)];
      });
      expect(auth).toEqual(steps.map(expectStep));
      expect(fileIsThere).toBe(steps.some(({ outputs }) => outputs.hasFile));
      // The runner warns for main and post.
      expect([...new Set(end.warnings)]).toEqual(
        unknown.length === 0 ? [] : [expect.stringContaining(`Unexpected input(s) '${unknown.join("', '")}'`)],
      );
    });
  });
});

/** Secrets, as the runner puts them in. The inputs may be ones that only an older peer has. */
function fillIn(inputs: PeerStep['inputs'], key: string): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, value === 'KEY' ? key : value]));
}
