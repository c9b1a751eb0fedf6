import process from 'node:process';
import type { ProgramStep } from '@weir/actions-runner';
import { describeUnless } from '@weir/test-kit';
import { expectGranted, expectSelfSigned, runConsumerJob } from './testing/consumer-job';
import { authLibraryStep, findPython, pythonStep, storageStep } from './testing/consumer-steps';

interface ClientLibraries {
  readonly language: string;
  /** Why they cannot run on this machine. */
  readonly missing: string | undefined;
  /** Some clients cannot detect the universe. */
  readonly steps: (universe: string) => readonly ProgramStep[];
}

const node = process.execPath;
const python = findPython();

const libraries: readonly ClientLibraries[] = [
  {
    language: 'Node.js',
    missing: undefined,
    steps: (universe) => [authLibraryStep(node, 9), authLibraryStep(node, 11), storageStep(node, universe)],
  },
  {
    language: 'Python',
    missing: python.missing,
    steps: () => (python.missing === undefined ? [pythonStep(python)] : []),
  },
];

for (const { language, missing, steps } of libraries) {
  describeUnless(missing, `client libraries for ${language}`)(`client libraries for ${language}`, () => {
    const universe = 'cloud.example';
    const otherUniverse = { consumers: steps(universe), inputs: { universe }, cloud: { universe } };

    it('finds the services of another universe with the file', async () => {
      const job = { mode: 'a service account', route: 'at the real hosts' } as const;

      const end = await runConsumerJob({ ...job, ...otherUniverse });

      expectGranted(end, job);
      expect(end.apiCalls).toHaveLength(otherUniverse.consumers.length);
      expect(end.tunnels).toEqual([
        'iamcredentials.cloud.example:443',
        'storage.cloud.example:443',
        'sts.cloud.example:443',
      ]);
    });

    it('signs its own tokens in another universe with a key', async () => {
      const end = await runConsumerJob({ mode: 'a key', route: 'at the real hosts', ...otherUniverse });

      expectSelfSigned(end);
      expect(end.tunnels).toEqual(['storage.cloud.example:443']);
    });

    it('requests tokens with the lifetime of the input', async () => {
      const job = { mode: 'a service account', route: 'on loopback' } as const;
      const inputs = { token_format: 'access_token', credentials_file_token_lifetime: '2h' };
      const consumers = steps('');

      const end = await runConsumerJob({ ...job, consumers, inputs, cloud: { maximumLifetimeSeconds: 43_200 } });

      expectGranted(end, job);
      expect(end.apiCalls).toHaveLength(consumers.length);
      const lifetimes = end.requests.flatMap(({ service, body }) => (service === 'iam' ? [body] : []));
      // One lifetime is for the action, and one for each client.
      expect(lifetimes).toMatchObject([{ lifetime: '3600s' }, ...consumers.map(() => ({ lifetime: '7200s' }))]);
    });
  });
}
