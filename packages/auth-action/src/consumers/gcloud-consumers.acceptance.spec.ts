import { existsSync, readFileSync } from 'node:fs';
import { describeUnless, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { expectGranted, expectedRequests, runConsumerJob, type Mode, type Route } from './testing/consumer-job';
import { gcloudStep, missingGcloud } from './testing/consumer-steps';

const listBuckets = "gcloud storage buckets list '--format=value(name)'";

describeUnless(missingGcloud(), 'gcloud was not run')('gcloud', () => {
  // It keeps its tokens here, which would be a leftover of the job.
  let config: TemporaryFolder;
  beforeEach(() => {
    config = temporaryFolder('weir-gcloud-');
  });
  afterEach(() => config.remove());

  it.each<[Mode, Route]>([
    ['direct federation', 'on loopback'],
    ['a key', 'on loopback'],
    ['direct federation', 'at the real hosts'],
    ['a key', 'at the real hosts'],
  ])(
    'lists buckets as %s %s',
    async (mode, route) => {
      const end = await runConsumerJob({ mode, route, consumers: [gcloudStep(config.path, listBuckets)] });

      expectGranted(end, { mode, route: route });
      expect(end.requested).toEqual(expect.arrayContaining([...expectedRequests[mode]]));
      // In direct federation it asks at the address in the file for its identity.
      if (mode === 'direct federation') expect(end.requested).toContain('introspect');
    },
    60_000,
  );

  it('uses the configuration of a named identity', async () => {
    const job = { mode: 'a service account', route: 'on loopback' } as const;
    const consumers = [gcloudStep(config.path, listBuckets.replace('gcloud', 'gcloud --configuration=deploy'))];
    const env = { CLOUDSDK_CONFIG: config.path };

    const end = await runConsumerJob({ ...job, consumers, env, inputs: { identity: 'deploy' } });

    expectGranted(end, job);
    expect(end.seen?.env.CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE).toBeUndefined();
    expect(existsSync(config.file('configurations', 'config_deploy'))).toBe(false);
  }, 60_000);

  it('finds the services of another universe with the file and its own setting', async () => {
    const universe = 'cloud.example';
    const job = { mode: 'a service account', route: 'at the real hosts' } as const;
    const env = { CLOUDSDK_CORE_UNIVERSE_DOMAIN: universe };
    const consumers = [gcloudStep(config.path, listBuckets)];

    const end = await runConsumerJob({ ...job, consumers, env, inputs: { universe }, cloud: { universe } });

    expectGranted(end, job);
    expect(end.requested).toEqual(expectedRequests[job.mode]);
  }, 60_000);

  it.each<[Mode, Route]>([
    ['a service account', 'on loopback'],
    ['a service account', 'at the real hosts'],
  ])(
    'prints its token as %s %s, and uses the same for the next command',
    async (mode, route) => {
      const printToken = 'gcloud auth print-access-token > "$CLOUDSDK_CONFIG/token"';
      const consumers = [gcloudStep(config.path, printToken), gcloudStep(config.path, listBuckets)];

      const end = await runConsumerJob({ mode, route, consumers });

      expectGranted(end, { mode, route: route });
      const token = readFileSync(config.file('token'), 'utf8').trim();
      expect(end.fake.tokens.redact(token)).toBe(end.apiCalls.at(-1)?.bearer);
      expect(end.requested).toEqual(expectedRequests[mode]);
    },
    60_000,
  );
});
