import { describeUnless } from '@weir/test-kit';
import { expectGranted, expectedRequests, runConsumerJob, type Mode, type Route } from './testing/consumer-job';
import { findPython, pythonStep } from './testing/consumer-steps';

const found = findPython();
const consumers = found.missing === undefined ? [pythonStep(found)] : [];

describeUnless(found.missing, 'no Python client was run')('google-auth for Python', () => {
  it.each<[Mode, Route]>([
    ['a service account', 'on loopback'],
    ['direct federation', 'on loopback'],
    ['a key', 'on loopback'],
    ['a service account', 'at the real hosts'],
    ['direct federation', 'at the real hosts'],
    ['a key', 'at the real hosts'],
  ])('calls the API as %s %s', async (mode, route) => {
    const end = await runConsumerJob({ mode, route, consumers });

    expectGranted(end, { mode, route: route });
    expect(end.requested).toEqual(expectedRequests[mode]);
  });
});
