import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMailServer, waitFor, type TestMailServer } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly payload: string;
  readonly error?: string;
}

const path = '/event-subscriptions';
const deadlineMs = 90_000;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let base: string;
  let mails: TestMailServer;
  const called: string[] = [];
  const receiver: Server = createServer((request, response) => {
    called.push(`${request.method ?? ''} ${request.url ?? ''}`);
    request.resume();
    response.end('ok');
  });
  const send = (operation: string, body?: unknown) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, { token: admin, body }) as Promise<Answer>;
  };
  const subscribe = async (name: string, settings: object): Promise<string> => {
    const given = { name, kind: 'webhook', dagName: name, url: `${base}/${name}`, ...settings };
    const { status, body } = await send(`POST ${path}`, given);
    expect(status).toBe(201);
    return (body.subscription as { id: string }).id;
  };
  const byMail = { kind: 'email', url: undefined };
  const addDag = (name: string, spec: string) => send('POST /dags', { name, spec });
  const run = async (name: string, spec: string): Promise<void> => {
    await addDag(name, spec);
    expect((await send(`POST /dags/${name}/start`, {})).status).toBe(200);
  };
  const settled = async (id: string, types: readonly string[], wake?: string): Promise<readonly Delivery[]> => {
    let found: readonly Delivery[] = [];
    await waitFor(
      async () => {
        // Whoever sends looks around at once, and not only every 15 seconds.
        if (wake !== undefined) await send(`POST ${path}/${wake}/test`);
        found = (await send(`GET ${path}/${id}/deliveries`)).body.deliveries as readonly Delivery[];
        const last = found.filter(({ status, error }) => status === 'delivered' || error !== undefined);
        return types.every((type) => last.some((delivery) => delivery.type === type));
      },
      { what: types.join(', '), deadlineMs },
    );
    return found;
  };
  const dataOf = (delivery: Delivery | undefined) =>
    (JSON.parse(delivery?.payload ?? '{}') as { data: Readonly<Record<string, unknown>> }).data;

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    mails = await startMailServer({ refused: ['nobody@example.org'] });
    weir = await start({
      env: {
        WEIR_SKIP_EXAMPLES: 'true',
        WEIR_EVENT_NETWORKS: '127.0.0.1/32',
        WEIR_SMTP_HOST: mails.host,
        WEIR_SMTP_PORT: String(mails.port),
        WEIR_SMTP_FROM: 'Weir <weir@example.org>',
        WEIR_ALIVE_URL: `${base}/alive`,
        WEIR_ALIVE_SECONDS: '1',
      },
    });
    admin = await setUpAdmin(weir);
  }, 60_000);
  afterAll(async () => {
    await weir.dispose();
    await mails.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  it('calls an address while the scheduler settles schedules', async () => {
    await waitFor(() => called.filter((each) => each === 'POST /alive').length > 1, { what: 'two calls', deadlineMs });
  });

  describe('a subscription by mail', () => {
    it('sends an event, from the address of the server', async () => {
      const id = await subscribe('by-mail', { ...byMail, events: ['run.failed'], to: 'ops@example.org' });
      await run('by-mail', 'steps:\n  - run: exit 3\n');
      const [delivery] = await settled(id, ['run.failed']);
      const mail = mails.mails.find(({ subject }) => subject === '[weir] by-mail has failed');

      expect(delivery).toMatchObject({ status: 'delivered' });
      expect(mail).toMatchObject({ from: 'weir@example.org', to: ['ops@example.org'] });
      expect(mail?.text).toContain('type: run.failed');
      expect(mail?.raw).toContain(`Message-ID: <${delivery?.id ?? ''}@weir>`);
      expect(JSON.stringify((await send(`GET ${path}`)).body)).not.toContain('ops@example.org');
      expect((await send(`GET ${path}/${id}`)).body).toMatchObject({ host: 'example.org' });
    });

    it('is retried when the mail server refuses it, and reports this without the address', async () => {
      const id = await subscribe('refused', { ...byMail, events: ['run.failed'], to: 'nobody@example.org' });
      expect((await send(`POST ${path}/${id}/test`)).status).toBe(200);
      const [delivery] = await settled(id, ['subscription.test']);

      expect(delivery).toMatchObject({ status: 'pending', error: expect.stringContaining('refused') as string });
      expect(JSON.stringify(delivery)).not.toContain('nobody@');
    });
  });

  describe('POST /event-subscriptions/{subscriptionId}/test', () => {
    it('returns 200, and the test arrives', async () => {
      const id = await subscribe('tested', { events: ['run.failed'] });

      expect(await send(`POST ${path}/${id}/test`)).toMatchObject({
        status: 200,
        body: { type: 'subscription.test', status: 'pending' },
      });
      await settled(id, ['subscription.test']);
      expect(called).toContain('POST /tested');
    });

    it('returns 409 when the subscription is switched off', async () => {
      const id = await subscribe('tested-off', { events: ['run.failed'] });
      await send(`PATCH ${path}/${id}`, { enabled: false });

      expect(await send(`POST ${path}/${id}/test`)).toMatchObject({
        status: 409,
        body: { reason: 'subscription_disabled' },
      });
    });
  });

  it('reports a run that should have ended by now', async () => {
    const id = await subscribe('late', { events: ['run.late'], lateAfterSeconds: 1 });
    await run('late', 'steps:\n  - run: sleep 300\n');
    const [delivery] = await settled(id, ['run.late'], await subscribe('waker', { events: ['run.failed'] }));

    expect(dataOf(delivery)).toMatchObject({ dagName: 'late', status: 'running', expectedSeconds: 1 });
    await send('POST /dags/late/stop-all', {});
  }, 120_000);

  it('reports a DAG that has not succeeded for too long', async () => {
    const id = await subscribe('stale', { events: ['dag.stale'], staleAfterSeconds: 1 });
    const [delivery] = await settled(id, ['dag.stale'], await subscribe('waker', { events: ['run.failed'] }));

    expect(dataOf(delivery)).toMatchObject({ dagName: 'stale', staleAfterSeconds: 1 });
  }, 120_000);

  it('reports a queue in which runs wait and none is executed', async () => {
    const settings = { dagName: undefined, events: ['queue.blocked'], blockedAfterSeconds: 1 };
    const id = await subscribe('blocked', settings);
    await addDag('held', 'queue: held\nworker_selector:\n  place: nowhere\nsteps:\n  - run: "true"\n');
    expect((await send('POST /dags/held/enqueue', {})).status).toBe(200);
    const [delivery] = await settled(id, ['queue.blocked'], await subscribe('waker', { events: ['run.failed'] }));

    expect(dataOf(delivery)).toMatchObject({ queue: 'held', waiting: 1, reason: 'no_worker' });
    await send('POST /dags/held/stop-all', {});
  }, 120_000);

  it('reports steps that fail, are retried and wait, if subscribed to', async () => {
    const id = await subscribe('steps', { events: ['step.failed', 'step.retried', 'step.waiting'] });
    const quiet = await subscribe('quiet', { dagName: 'steps', events: ['run.failed'] });
    await run(
      'steps',
      [
        'steps:',
        '  - {name: flaky, run: exit 3, retry_policy: {limit: 1, interval_sec: 0}, continue_on: {failure: true}}',
        '  - {name: ask, depends: flaky, run: "true", approval: {prompt: Go on?}}',
        '',
      ].join('\n'),
    );
    const deliveries = await settled(id, ['step.failed', 'step.retried', 'step.waiting']);

    expect(deliveries.map((each) => [each.type, dataOf(each).step]).sort()).toEqual([
      ['step.failed', 'flaky'],
      ['step.retried', 'flaky'],
      ['step.waiting', 'ask'],
    ]);
    expect((await send(`GET ${path}/${quiet}/deliveries`)).body.deliveries).toEqual([]);
  }, 120_000);

  it.each([
    [
      'a DAG that is watched without its name',
      { kind: 'slack', dagName: undefined, events: ['dag.stale'], staleAfterSeconds: 9 },
    ],
    ['a DAG that is watched without a time', { kind: 'slack', events: ['dag.stale'] }],
    ['a DAG whose queue is watched', { kind: 'slack', events: ['queue.blocked'] }],
    ['a mail without an address', { ...byMail, events: ['run.failed'] }],
    ['a webhook with the address of a mail', { events: ['run.failed'], to: 'ops@example.org' }],
  ])('returns 400 for %s', async (_, settings) => {
    const given = { name: 'wrong', kind: 'webhook', dagName: 'wrong', url: `${base}/wrong`, ...settings };

    expect(await send(`POST ${path}`, given)).toMatchObject({ status: 400, body: { reason: 'request_invalid' } });
  });
});
