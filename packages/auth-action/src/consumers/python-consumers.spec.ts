import { describeUnless } from '@weir/test-kit';
import {
  expectGranted,
  expectSelfSigned,
  neededCalls,
  playConsumers,
  type Mode,
  type Way,
} from './consumer-rig.contract';
import { findPython, pythonStep } from './consumer-steps.contract';

const found = findPython();
const consumers = found.missing === undefined ? [pythonStep(found)] : [];

describeUnless(found.missing, 'no Python client was run')('google-auth for Python', () => {
  it.each<[Mode, Way]>([
    ['a service account', 'on loopback'],
    ['direct federation', 'on loopback'],
    ['a key', 'on loopback'],
    ['a service account', 'at the real hosts'],
    ['direct federation', 'at the real hosts'],
    ['a key', 'at the real hosts'],
  ])('calls the API as %s %s', async (mode, way) => {
    const end = await playConsumers({ mode, way, consumers });

    expectGranted(end, { mode, way });
    expect(end.asked).toEqual(neededCalls[mode]);
  });

  it('finds the services of another universe by the file', async () => {
    const universe = 'cloud.example';
    const job = { mode: 'a service account', way: 'at the real hosts' } as const;

    const end = await playConsumers({ ...job, consumers, inputs: { universe }, cloud: { universe } });

    expectGranted(end, job);
    expect(end.tunnels).toEqual([
      'iamcredentials.cloud.example:443',
      'storage.cloud.example:443',
      'sts.cloud.example:443',
    ]);
  });

  it('signs for itself in another universe, where it has a key', async () => {
    const universe = 'cloud.example';

    const end = await playConsumers({
      mode: 'a key',
      way: 'at the real hosts',
      consumers,
      inputs: { universe },
      cloud: { universe },
    });

    expectSelfSigned(end);
  });

  it('asks for tokens that live as long as the action was told', async () => {
    const job = { mode: 'a service account', way: 'on loopback' } as const;
    const inputs = { token_format: 'access_token', access_token_lifetime: '2h' };

    const end = await playConsumers({ ...job, consumers, inputs, cloud: { maximumLifetimeSeconds: 43_200 } });

    expectGranted(end, job);
    const bodies = end.requests.flatMap(({ service, body }) => (service === 'iam' ? [body] : []));
    expect(bodies).toMatchObject([{ lifetime: '7200s' }, { lifetime: '7200s' }]);
  });
});
