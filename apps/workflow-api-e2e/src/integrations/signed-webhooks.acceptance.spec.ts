import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { secondsNow, senders, type Headers } from '../support/webhook-senders';
import type { Weir } from '../support/weir-server';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Delivery {
  readonly id: string;
  readonly outcome: string;
  readonly reason?: string;
  readonly dagRunId?: string;
}

const plain = 'steps:\n  - run: "true"\n';
const push = { ref: 'refs/heads/main', after: 'c0ffee', pusher: { name: 'ada' } };
type Style = keyof typeof senders;
const styles = Object.keys(senders) as readonly Style[];
const timed = ['standard', 'stripe', 'hmac'] as const;

const settingsOf = (style: Style) =>
  style === 'hmac'
    ? { style, header: 'X-Mac', prefix: 'v2:', algorithm: 'sha512', encoding: 'base64', timestampHeader: 'X-Sent' }
    : { style };

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let calls = 0;
  const send = (operation: string, body?: unknown) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, { token: admin, body }) as Promise<Answer>;
  };
  const call = async (name: string, body: string, headers: Headers): Promise<Answer> => {
    const response = await fetch(`${weir.baseUrl}/webhooks/${name}`, {
      method: 'POST',
      body,
      // Of another address each time, which the throttle does not slow down.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${(calls += 1)}`, ...headers },
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const addWebhook = async (name: string, verification: object, settings: object = {}, spec = plain) => {
    await send('POST /dags', { name, spec });
    const { token } = (await send(`POST /dags/${name}/webhook`)).body;
    const { body } = await send(`PUT /dags/${name}/webhook/settings`, { verification, ...settings });
    return { token: String(token), secret: String(body.secret) };
  };
  const deliveries = async (name: string): Promise<readonly Delivery[]> =>
    (await send(`GET /dags/${name}/webhook/deliveries`)).body.deliveries as readonly Delivery[];
  const runsOf = async (name: string): Promise<number> =>
    ((await send(`GET /dag-runs/${name}`)).body.dagRuns as readonly unknown[]).length;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_TRUSTED_PROXIES: 'loopback' } });
    admin = await setUpAdmin(weir);
  }, 60_000);
  afterAll(() => weir.dispose());

  describe.each(styles)('a webhook of the style %s', (style) => {
    const name = `from-${style}`;
    const body = JSON.stringify({ ...push, id: 'evt_1' });
    let secret: string;
    let token: string;
    let good: Headers;

    beforeAll(async () => {
      ({ secret, token } = await addWebhook(name, settingsOf(style)));
      good = await senders[style](body, secret);
    });

    it('refuses altered, unsigned, wrongly signed and downgraded calls with 401', async () => {
      const [signature = ''] = Object.keys(good).filter((each) => /signature|token|mac/.test(each));
      const { [signature]: _, ...unsigned } = good;
      const other = await addWebhook(`other-${style}`, settingsOf(style));
      const attacks: readonly (readonly [string, string, Headers])[] = [
        ['stripped', body, unsigned],
        ['emptied', body, { ...good, [signature]: '' }],
        ['the token in its place', body, { ...unsigned, authorization: `Bearer ${token}` }],
        ['of another DAG', body, await senders[style](body, other.secret)],
        ['of another algorithm', body, { ...unsigned, 'x-hub-signature': `sha1=${'0'.repeat(40)}` }],
        ...(style === 'gitlab' ? [] : [['altered', body.replace('main', 'evil'), good] as const]),
      ];
      for (const [what, text, headers] of attacks) {
        const { status } = await call(name, text, headers);
        expect([what, status]).toEqual([what, 401]);
      }

      expect(await runsOf(name)).toBe(0);
      expect((await deliveries(name)).map(({ outcome }) => outcome)).not.toContain('started');
    });

    it('starts one run for a signed call, even if it is sent repeatedly', async () => {
      const fresh = await addWebhook(`once-${style}`, settingsOf(style));
      const headers = await senders[style](body, fresh.secret);

      expect(await call(`once-${style}`, body, headers)).toMatchObject({ status: 200 });
      for (const replay of [headers, { ...headers, 'x-github-delivery': 'another' }]) {
        expect(await call(`once-${style}`, body, replay)).toMatchObject({
          status: 409,
          body: { reason: 'webhook_delivery_repeated' },
        });
      }
      expect(await runsOf(`once-${style}`)).toBe(1);
    });
  });

  it.each(timed)('refuses a signature of the style %s from ten minutes ago', async (style) => {
    const { secret } = await addWebhook(`old-${style}`, settingsOf(style));
    const body = JSON.stringify(push);

    expect(await call(`old-${style}`, body, await senders[style](body, secret, secondsNow() - 600))).toMatchObject({
      status: 401,
      body: { reason: 'webhook_token_invalid' },
    });
    expect(await deliveries(`old-${style}`)).toMatchObject([{ outcome: 'refused', reason: 'timestamp_off' }]);
  });

  it('derives parameters from the payload and the headers by a jq filter, even if it is too large for a variable', async () => {
    const spec =
      'params:\n  - branch: none\n  - who: none\nsteps:\n  - run: printf %s "$branch $who"\n    output: SEEN\n';
    const paramsFilter =
      '{branch: (.ref | ltrimstr("refs/heads/")), who: (.pusher.name + " " + $headers["x-github-event"] + ($headers["x-hub-signature-256"] // ""))} # mapped';
    const { secret } = await addWebhook('mapped', { style: 'github' }, { paramsFilter }, spec);
    const body = JSON.stringify({ ...push, commits: 'x'.repeat(200_000) });
    const headers = { ...(await senders.github(body, secret)), 'x-github-event': 'push' };
    const { status, body: started } = await call('mapped', body, headers);
    const dagRunId = String(started.dagRunId);
    await endOfRun(weir, admin, 'mapped', dagRunId);

    expect(status).toBe(200);
    expect((await send(`GET /dag-runs/mapped/${dagRunId}/outputs`)).body).toMatchObject({
      outputs: { seen: 'main ada push' },
    });
  });

  it('refuses a payload with 400 if the filter returns no object, and one over the limit without a filter with 413', async () => {
    const { secret } = await addWebhook('unmapped', { style: 'github' }, { paramsFilter: '.ref' });
    const body = JSON.stringify(push);
    expect(await call('unmapped', body, await senders.github(body, secret))).toMatchObject({
      status: 400,
      body: { reason: 'webhook_filter_failed' },
    });

    const unfiltered = await addWebhook('unfiltered', { style: 'github' });
    const large = JSON.stringify({ text: 'x'.repeat(100_000) });
    expect(await call('unfiltered', large, await senders.github(large, unfiltered.secret))).toMatchObject({
      status: 413,
      body: { reason: 'webhook_payload_too_large' },
    });
    const oversized = 'x'.repeat(1_048_577);
    expect(await call('unfiltered', oversized, {})).toMatchObject({ status: 413, body: { reason: 'body_too_large' } });
  });

  it('ends a filter that never finishes, and returns 400', async () => {
    const { secret } = await addWebhook('endless', { style: 'github' }, { paramsFilter: '[range(0; infinite)]' });
    const body = JSON.stringify(push);

    expect(await call('endless', body, await senders.github(body, secret))).toMatchObject({
      status: 400,
      body: { reason: 'webhook_filter_failed' },
    });
  }, 60_000);

  it('checks with the newest value of a stored secret, and returns 503 without one', async () => {
    await addWebhook('stored', { style: 'github' }, { secretRef: 'github/hook' });
    const body = JSON.stringify(push);
    expect(await call('stored', body, {})).toMatchObject({
      status: 503,
      body: { reason: 'webhook_secret_unreadable' },
    });

    const value = 'a-secret-of-the-store';
    await send('POST /secrets', { ref: 'github/hook', providerType: 'dagu-managed', value });
    expect((await call('stored', body, await senders.github(body, value))).status).toBe(200);
  });

  describe('POST /dags/{fileName}/webhook/secret', () => {
    it('returns 200 with a new secret, shown once, and the former one is refused at once', async () => {
      const { secret } = await addWebhook('rotated', { style: 'github' });
      const replaced = await send('POST /dags/rotated/webhook/secret');
      const body = JSON.stringify(push);

      expect(replaced.status).toBe(200);
      const again = JSON.stringify((await send('GET /dags/rotated/webhook')).body);
      for (const each of [secret, String(replaced.body.secret)]) expect(again).not.toContain(each);
      expect((await call('rotated', body, await senders.github(body, secret))).status).toBe(401);
      expect((await call('rotated', body, await senders.github(body, String(replaced.body.secret)))).status).toBe(200);
      await send('POST /dags/rotated/webhook/secret', { secret: 'given by the sender' });
      expect((await call('rotated', '{}', await senders.github('{}', 'given by the sender'))).status).toBe(200);
    });
  });

  it('starts no more runs within a minute than its settings allow', async () => {
    const { secret } = await addWebhook('limited', { style: 'github' }, { callsPerMinute: 2 });
    const bodies = ['a', 'b', 'c', 'd'].map((after) => JSON.stringify({ ...push, after }));
    const answers = await Promise.all(
      bodies.map(async (body) => call('limited', body, await senders.github(body, secret))),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429]);
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({ reason: 'webhook_rate_limited' });
  });

  describe('the deliveries', () => {
    const body = JSON.stringify(push);
    let secret: string;
    beforeAll(async () => {
      ({ secret } = await addWebhook('logged', { style: 'github' }));
      await call('logged', body, { 'x-hub-signature-256': 'sha256=00', authorization: 'Basic hidden' });
      await call('logged', body, await senders.github(body, secret));
    });

    describe('GET /dags/{fileName}/webhook/deliveries', () => {
      it('returns 200 with their results, newest first, without the bodies of unauthenticated calls', async () => {
        expect(await deliveries('logged')).toMatchObject([
          { outcome: 'started', bytes: body.length, hasBody: true },
          { outcome: 'refused', reason: 'signature_wrong', hasBody: false },
        ]);
      });
    });

    describe('GET /dags/{fileName}/webhook/deliveries/{deliveryId}', () => {
      it('returns 200 with the headers, without secrets', async () => {
        const [, stranger] = await deliveries('logged');
        const { status, body: shown } = await send(`GET /dags/logged/webhook/deliveries/${stranger?.id ?? ''}`);

        expect(status).toBe(200);
        expect(shown.headers).toMatchObject({ 'x-hub-signature-256': '*****', authorization: '*****' });
      });
    });

    describe('POST /dags/{fileName}/webhook/deliveries/{deliveryId}/redeliver', () => {
      it('returns 200 with another run', async () => {
        const [started] = await deliveries('logged');
        const address = `POST /dags/logged/webhook/deliveries/${started?.id ?? ''}/redeliver`;
        const { status, body: again } = await send(address);

        expect(status).toBe(200);
        expect(again.dagRunId).not.toBe(started?.dagRunId);
        expect((await deliveries('logged'))[0]).toMatchObject({ outcome: 'started', redeliveryOf: started?.id });
      });
    });

    describe('POST /dags/{fileName}/webhook/deliveries/{deliveryId}/redeliver', () => {
      it('returns 409 without the body', async () => {
        const stranger = (await deliveries('logged')).find(({ outcome }) => outcome === 'refused');

        expect(await send(`POST /dags/logged/webhook/deliveries/${stranger?.id ?? ''}/redeliver`)).toMatchObject({
          status: 409,
          body: { reason: 'webhook_body_gone' },
        });
      });
    });

    it('are 404 under another webhook, and gone with their own', async () => {
      const [started] = await deliveries('logged');
      await addWebhook('stranger', { style: 'token' });
      const address = `/webhook/deliveries/${started?.id ?? ''}`;
      expect(await send(`GET /dags/stranger${address}`)).toMatchObject({
        status: 404,
        body: { reason: 'webhook_delivery_not_found' },
      });

      await send('DELETE /dags/logged/webhook');
      expect((await send(`GET /dags/logged${address}`)).status).toBe(404);
    });

    describe('POST /dags/{fileName}/webhook/deliveries/{deliveryId}/redeliver', () => {
      it('returns 400 and 413 if the present settings do not map it', async () => {
        const { secret: key } = await addWebhook('remapped', { style: 'github' }, { paramsFilter: '{}' });
        const large = JSON.stringify({ text: 'x'.repeat(100_000) });
        await call('remapped', large, await senders.github(large, key));
        const [started] = await deliveries('remapped');
        const address = `POST /dags/remapped/webhook/deliveries/${started?.id ?? ''}/redeliver`;
        const configure = (settings: object) =>
          send('PUT /dags/remapped/webhook/settings', { verification: { style: 'github' }, ...settings });

        await configure({ paramsFilter: '.text' });
        expect(await send(address)).toMatchObject({ status: 400, body: { reason: 'webhook_filter_failed' } });
        await configure({});
        expect(await send(address)).toMatchObject({ status: 413, body: { reason: 'webhook_payload_too_large' } });
      });
    });
  });

  describe('PUT /dags/{fileName}/webhook/settings', () => {
    it('returns 200, and the audit log has the change without the secret', async () => {
      const { secret } = await addWebhook('audited', { style: 'github' });
      const { body } = await send('GET /audit?category=webhook&limit=500');
      const text = JSON.stringify(body);

      expect(text).toContain('webhook_configure');
      expect(text).not.toContain(secret);
    });
  });
});
