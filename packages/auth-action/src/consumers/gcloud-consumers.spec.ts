import { readFileSync } from 'node:fs';
import { describeUnless, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { expectGranted, neededCalls, playConsumers, type Mode, type Way } from './consumer-rig.contract';
import { gcloudStep, missingGcloud } from './consumer-steps.contract';

const listBuckets = "gcloud storage buckets list '--format=value(name)'";

describeUnless(missingGcloud(), 'gcloud was not run')('gcloud', () => {
  // It keeps its tokens here, which would be a leftover of the job.
  let config: TemporaryFolder;
  beforeEach(() => {
    config = temporaryFolder('weir-gcloud-');
  });
  afterEach(() => config.remove());

  it.each<[Mode, Way]>([
    ['direct federation', 'on loopback'],
    ['a key', 'on loopback'],
    ['direct federation', 'at the real hosts'],
    ['a key', 'at the real hosts'],
  ])(
    'lists buckets as %s %s',
    async (mode, way) => {
      const end = await playConsumers({ mode, way, consumers: [gcloudStep(config.path, listBuckets)] });

      expectGranted(end, { mode, way });
      expect(end.asked).toEqual(expect.arrayContaining([...neededCalls[mode]]));
      // Who it is in direct federation, it asks at the address that the file names.
      if (mode === 'direct federation') expect(end.asked).toContain('introspect');
    },
    60_000,
  );

  it('finds the services of another universe by the file, once it is told that it is in one', async () => {
    const universe = 'cloud.example';
    const job = { mode: 'a service account', way: 'at the real hosts' } as const;
    const env = { CLOUDSDK_CORE_UNIVERSE_DOMAIN: universe };
    const consumers = [gcloudStep(config.path, listBuckets)];

    const end = await playConsumers({ ...job, consumers, env, inputs: { universe }, cloud: { universe } });

    expectGranted(end, job);
    expect(end.asked).toEqual(neededCalls[job.mode]);
  }, 60_000);

  it.each<[Mode, Way]>([
    ['a service account', 'on loopback'],
    ['a service account', 'at the real hosts'],
  ])(
    'hands out its token as %s %s, and uses the same for the next command',
    async (mode, way) => {
      const printToken = 'gcloud auth print-access-token > "$CLOUDSDK_CONFIG/token"';
      const consumers = [gcloudStep(config.path, printToken), gcloudStep(config.path, listBuckets)];

      const end = await playConsumers({ mode, way, consumers });

      expectGranted(end, { mode, way });
      const token = readFileSync(config.file('token'), 'utf8').trim();
      expect(end.fake.tokens.redact(token)).toBe(end.apiCalls.at(-1)?.bearer);
      expect(end.asked).toEqual(neededCalls[mode]);
    },
    60_000,
  );
});
