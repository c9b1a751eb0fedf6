import type { ProgramStep } from '@weir/actions-runner';
import { expectGranted, expectSelfSigned, runConsumerJob } from './testing/consumer-job';

/** What clients of every language have to do alike. They are told the universe, which some cannot find out. */
export function describeEveryClient(consumersIn: (universe: string) => readonly ProgramStep[]): void {
  const universe = 'cloud.example';
  const elsewhere = { consumers: consumersIn(universe), inputs: { universe }, cloud: { universe } };

  it('finds the services of another universe by the file', async () => {
    const job = { mode: 'a service account', route: 'at the real hosts' } as const;

    const end = await runConsumerJob({ ...job, ...elsewhere });

    expectGranted(end, job);
    expect(end.apiCalls).toHaveLength(elsewhere.consumers.length);
    expect(end.tunnels).toEqual([
      'iamcredentials.cloud.example:443',
      'storage.cloud.example:443',
      'sts.cloud.example:443',
    ]);
  });

  it('signs for itself in another universe, where it has a key', async () => {
    const end = await runConsumerJob({ mode: 'a key', route: 'at the real hosts', ...elsewhere });

    expectSelfSigned(end);
    expect(end.tunnels).toEqual(['storage.cloud.example:443']);
  });

  it('asks for tokens that live as long as the action was told', async () => {
    const job = { mode: 'a service account', route: 'on loopback' } as const;
    const inputs = { token_format: 'access_token', access_token_lifetime: '2h' };
    const consumers = consumersIn('');

    const end = await runConsumerJob({ ...job, consumers, inputs, cloud: { maximumLifetimeSeconds: 43_200 } });

    expectGranted(end, job);
    expect(end.apiCalls).toHaveLength(consumers.length);
    const lifetimes = end.requests.flatMap(({ service, body }) => (service === 'iam' ? [body] : []));
    // The action's own, and one for each.
    expect(lifetimes).toMatchObject([{ lifetime: '7200s' }, ...consumers.map(() => ({ lifetime: '7200s' }))]);
  });
}
