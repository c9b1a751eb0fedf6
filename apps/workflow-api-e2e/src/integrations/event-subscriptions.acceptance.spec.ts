import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin, aUser } from '../support/people';
import type { Weir } from '../support/weir-server';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly error?: string;
  readonly responseStatus?: number;
}

const missing = '00000000-0000-4000-8000-000000000000';
const failing = 'steps:\n  - run: exit 3\n';
const path = '/event-subscriptions';

/** An HTTP server that answers as it is told and checks messages as the chat services do. */
function createReceiver() {
  const received: Received[] = [];
  const answers = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const name = request.url ?? '';
      received.push({ path: name, headers: request.headers, body });
      const status = answers.get(name) ?? 200;
      response.writeHead(status, status === 302 ? { location: '/secret-place' } : {}).end('ok');
    });
  });
  return { received, answers, server };
}

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let base: string;
  const { received, answers, server } = createReceiver();
  const send = (operation: string, body?: unknown, token = admin) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, { token, body }) as Promise<Answer>;
  };
  const subscribe = async (name: string, settings: object = {}) => {
    const given = { name, kind: 'webhook', events: ['run.failed'], dagName: name, url: `${base}/${name}`, ...settings };
    const { status, body } = await send(`POST ${path}`, given);
    return { status, id: (body.subscription as { id: string }).id, secret: String(body.secret), body };
  };
  const run = async (name: string, spec = failing): Promise<void> => {
    await send('POST /dags', { name, spec });
    expect((await send(`POST /dags/${name}/start`, {})).status).toBe(200);
  };
  const arrived = (at: string, count = 1) =>
    waitFor(() => received.filter((each) => each.path === at).length >= count, {
      what: `${count} events at ${at}`,
      deadlineMs: 90_000,
    }).then(() => received.filter((each) => each.path === at));
  const first = async (at: string): Promise<Received> => {
    const [event] = await arrived(at);
    if (event === undefined) throw new Error(`Nothing has arrived at ${at}.`);
    return event;
  };
  const latestStatus = async (name: string): Promise<string | undefined> =>
    ((await send(`GET /dag-runs/${name}`)).body.dagRuns as readonly { statusLabel: string }[])[0]?.statusLabel;
  const deliveries = async (id: string): Promise<readonly Delivery[]> =>
    (await send(`GET ${path}/${id}/deliveries`)).body.deliveries as readonly Delivery[];
  const settled = async (id: string, isThere: (delivery: Delivery) => boolean): Promise<Delivery> => {
    let found: Delivery | undefined;
    await waitFor(
      async () => {
        found = (await deliveries(id)).find(isThere);
        return found !== undefined;
      },
      { what: 'the delivery', deadlineMs: 90_000 },
    );
    if (found === undefined) throw new Error('No such delivery.');
    return found;
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    weir = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_EVENT_NETWORKS: '127.0.0.1/32' } });
    admin = await setUpAdmin(weir);
  }, 60_000);
  afterAll(async () => {
    await weir.dispose();
    server.closeAllConnections();
    server.close();
  });

  describe('POST /event-subscriptions', () => {
    it('returns 201, and a failed run is posted with a signature of Standard Webhooks', async () => {
      const { status, secret, id, body } = await subscribe('signed');
      await run('signed');
      const event = await first('/signed');
      const { headers, body: text } = event;
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');

      expect(status).toBe(201);
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      expect(JSON.parse(text)).toMatchObject({ type: 'run.failed', data: { dagName: 'signed', status: 'failed' } });
      expect(await settled(id, (each) => each.status === 'delivered')).toMatchObject({ responseStatus: 200 });
      expect(JSON.stringify(body.subscription)).not.toContain('/signed');
    });

    it.each([
      ['slack', (body: { text: string }) => body.text],
      ['discord', (body: { content: string }) => body.content],
      [
        'teams',
        (body: { attachments: { content: { body: { text: string }[] } }[] }) =>
          body.attachments[0]?.content.body[0]?.text,
      ],
    ])('sends a message that %s understands', async (kind, read: (body: never) => string | undefined) => {
      const name = `to-${kind}`;
      await subscribe(name, { kind });
      await run(name);
      const event = await first(`/${name}`);

      expect(read(JSON.parse(event.body) as never)).toContain(`${name} has failed`);
    });

    it('sends only the subscribed events, including a recovery after a failure', async () => {
      await subscribe('recovers', { events: ['run.recovered'] });
      await run('recovers');
      await send('PUT /dags/recovers/spec', { spec: 'steps:\n  - run: "true"\n' });
      await waitFor(async () => (await latestStatus('recovers')) === 'failed', { what: 'the failure' });
      await send('POST /dags/recovers/start', {});
      const event = await first('/recovers');

      expect(JSON.parse(event.body)).toMatchObject({ type: 'run.recovered' });
    });

    it('returns 400 for mails without a mail server', async () => {
      const body = { name: 'x', kind: 'email', events: ['run.failed'], to: 'ops@example.org' };

      expect(await send(`POST ${path}`, body)).toMatchObject({ status: 400, body: { reason: 'mail_server_missing' } });
    });

    it('returns 400 for a digest of signed events, which are sent one by one', async () => {
      const body = {
        name: 'x',
        kind: 'webhook',
        events: ['run.failed'],
        url: 'https://x.example/',
        digestSeconds: 900,
      };

      expect(await send(`POST ${path}`, body)).toMatchObject({ status: 400, body: { reason: 'request_invalid' } });
    });

    it('returns 403 for one workspace or all of them to users who manage none', async () => {
      const { token } = await aUser(weir, admin, 'developer');
      const body = { name: 'x', kind: 'slack', events: ['run.failed'], url: 'https://x.example/' };

      expect((await send(`POST ${path}`, body, token)).status).toBe(403);
    });
  });

  it('sends an event again, under the same id, until it was received', async () => {
    answers.set('/again', 500);
    const { id } = await subscribe('again');
    await run('again');
    await arrived('/again');
    expect(await settled(id, (each) => each.responseStatus === 500)).toMatchObject({ status: 'pending', attempts: 1 });
    answers.delete('/again');
    const [first, second] = await arrived('/again', 2);

    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await settled(id, (each) => each.status === 'delivered');
  }, 60_000);

  it('loses no event of a server that is killed', async () => {
    answers.set('/killed', 500);
    await subscribe('killed');
    await run('killed');
    const [before] = await arrived('/killed');
    answers.delete('/killed');
    await weir.process.stop({ signal: 'SIGKILL' });
    weir = await weir.restart();
    const after = await arrived('/killed', 2);

    expect(after.map(({ headers }) => headers['webhook-id'])).toEqual(after.map(() => before?.headers['webhook-id']));
  }, 180_000);

  describe('an address that is not public', () => {
    it.each([
      'http://[::1]:1/',
      'http://169.254.169.254/latest',
      'http://10.0.0.1/',
      'http://[::ffff:10.0.0.1]/',
      'http://localhost:1/',
    ])(
      'is never contacted: %s',
      async (url) => {
        const name = `guard-${url.replaceAll(/[^a-z0-9]/g, '')}`;
        const { id } = await subscribe(name, { url });
        await run(name);

        expect((await settled(id, (each) => each.error !== undefined)).error).toMatch(
          /not public|could not be reached/,
        );
      },
      60_000,
    );

    it('is never contacted after a redirect', async () => {
      answers.set('/redirects', 302);
      const { id } = await subscribe('redirects');
      await run('redirects');

      expect(await settled(id, (each) => each.error !== undefined)).toMatchObject({ responseStatus: 302 });
      expect(received.map((each) => each.path)).not.toContain('/secret-place');
    }, 60_000);
  });

  describe('GET /event-subscriptions', () => {
    it('returns 200 without addresses and secrets', async () => {
      const { secret } = await subscribe('hidden');
      const { status, body } = await send(`GET ${path}`);

      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('"hidden"');
      expect(JSON.stringify(body)).not.toContain(secret);
      expect(JSON.stringify(body)).not.toContain('/hidden');
    });
  });

  describe('GET /event-subscriptions/{subscriptionId}', () => {
    it('returns 200 with the subscription', async () => {
      const { id } = await subscribe('read');

      expect(await send(`GET ${path}/${id}`)).toMatchObject({ status: 200, body: { name: 'read', enabled: true } });
    });
  });

  describe('PATCH /event-subscriptions/{subscriptionId}', () => {
    it('returns 200, and a disabled subscription receives nothing', async () => {
      const { id } = await subscribe('off');

      expect(await send(`PATCH ${path}/${id}`, { enabled: false, name: 'renamed' })).toMatchObject({
        status: 200,
        body: { enabled: false, name: 'renamed' },
      });
      await run('off');
      await subscribe('witness');
      await run('witness');
      await arrived('/witness');
      expect(await deliveries(id)).toEqual([]);
    });
  });

  describe('PATCH /event-subscriptions/{subscriptionId} of a chat', () => {
    it('returns 200 with the times of its digest, of its repeats and of its silence, until they are null', async () => {
      const { id } = await subscribe('calm', { kind: 'slack', digestSeconds: 60 });
      const times = { digestSeconds: 900, repeatAfterSeconds: 3600, mutedUntil: '2099-01-02T03:04:05.000Z' };
      await expect(send(`PATCH ${path}/${id}`, times)).resolves.toMatchObject({ status: 200, body: times });

      const none = { digestSeconds: null, repeatAfterSeconds: null, mutedUntil: null };
      const { body } = await send(`PATCH ${path}/${id}`, none);
      expect(Object.keys(body).filter((key) => key in times)).toEqual([]);
    });
  });

  describe('DELETE /event-subscriptions/{subscriptionId}', () => {
    it('returns 204, and the audit log has who did it', async () => {
      const { id } = await subscribe('gone');

      expect((await send(`DELETE ${path}/${id}`)).status).toBe(204);
      expect((await send(`GET ${path}/${id}`)).status).toBe(404);
      expect(JSON.stringify((await send('GET /audit?category=event_subscription')).body)).toContain(id);
    });
  });

  describe('GET /event-subscriptions/{subscriptionId}/deliveries', () => {
    it('returns 200, empty before the first event', async () => {
      const { id } = await subscribe('quiet');

      expect(await send(`GET ${path}/${id}/deliveries`)).toMatchObject({ status: 200, body: { deliveries: [] } });
    });
  });

  describe('POST /event-subscriptions/{subscriptionId}/deliveries/{deliveryId}/redeliver', () => {
    it('returns 200, and the event is sent again', async () => {
      const { id } = await subscribe('resent');
      await run('resent');
      const delivery = await settled(id, (each) => each.status === 'delivered');
      const answer = await send(`POST ${path}/${id}/deliveries/${delivery.id}/redeliver`);

      expect(answer).toMatchObject({ status: 200, body: { status: 'pending' } });
      await arrived('/resent', 2);
    });

    it('returns 404 for a delivery of another subscription', async () => {
      const { id } = await subscribe('foreign');

      expect(await send(`POST ${path}/${id}/deliveries/${missing}/redeliver`)).toMatchObject({
        status: 404,
        body: { reason: 'event_delivery_not_found' },
      });
    });
  });
});
