import { describeUnless } from '@weir/test-kit';
import { expectGranted, neededCalls, playConsumers, type Mode, type Way } from './consumer-rig.contract';
import { findPython, pythonStep } from './consumer-steps.contract';
import { describeEveryClient } from './every-client.contract';

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

  describeEveryClient(() => consumers);
});
