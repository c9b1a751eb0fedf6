import { createManualClock } from '@weir/test-kit';
import { waitFor } from '@weir/test-kit';
import { createFakeCloudClient } from './testing/fake-cloud-client';
import type { FakeCloud } from './fake-cloud';
import { seededFaultPlan, statuses, type Fault, type FaultPlans } from './fault-plans';
import { startFakeCloud } from './start-fake-cloud';
import { decodeClaims } from './verify-token';

let cloud: FakeCloud;

async function start(faults: FaultPlans) {
  cloud = await startFakeCloud({ faults, now: createManualClock('2026-11-21T12:00:00Z').nowMs });
  return createFakeCloudClient(cloud);
}

const outcomes = () => cloud.requests.map(({ outcome }) => outcome);

describe('a fault', () => {
  afterEach(() => cloud.stop());

  it('affects the requests of its service in turn, and then no more', async () => {
    const client = await start({ oidc: [...statuses(503, 429), { kind: 'pass' }, ...statuses(500)] });

    const seen: number[] = [];
    for (let round = 0; round < 5; round += 1) seen.push((await client.oidc()).status);

    expect(seen).toEqual([503, 429, 200, 500, 200]);
    expect(cloud.tokens.ofKind('oidc token')).toHaveLength(2);
  });

  it('can be planned again', async () => {
    const client = await start({ oidc: statuses(503, 503, 503) });
    cloud.setFaults({ sts: statuses(500) });

    expect(await client.oidc()).toMatchObject({ status: 200 });
    expect(await client.exchange('x')).toMatchObject({ status: 500, body: { error: { status: 'INTERNAL' } } });
  });

  it.each([
    [7, '7'],
    [{ dateInSeconds: 60 }, 'Sat, 21 Nov 2026 12:01:00 GMT'],
    [{ text: 'later' }, 'later'],
  ])('sends the time to retry (%p)', async (retryAfter, expected) => {
    const client = await start({ oidc: [{ kind: 'status', status: 503, retryAfter, body: '<html>' }] });

    const { headers, body } = await client.oidc();

    expect(headers.get('retry-after')).toBe(expected);
    expect(body).toEqual({ text: '<html>' });
  });

  it('resets the connection before anything was issued, or after', async () => {
    const client = await start({
      oidc: [
        { kind: 'reset', when: 'before' },
        { kind: 'reset', when: 'after' },
      ],
    });

    await expect(client.oidc()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(cloud.tokens.ofKind('oidc token')).toHaveLength(0);
    await expect(client.oidc()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(cloud.tokens.ofKind('oidc token')).toHaveLength(1);
    expect(outcomes()).toEqual(['reset before', 'reset after']);
  });

  it('holds an answer until it is released', async () => {
    const client = await start({ oidc: [{ kind: 'hold' }] });

    const answer = client.oidc();
    await waitFor(() => cloud.heldCount() === 1, { what: 'the request to be held' });
    expect(outcomes()).toEqual(['held']);
    cloud.release();

    expect(await answer).toMatchObject({ status: 200 });
    expect(cloud.heldCount()).toBe(0);
  });

  it('drops a held request whose client disconnected', async () => {
    const client = await start({ oidc: [{ kind: 'hold' }] });
    const leaving = new AbortController();

    const answer = client.request(cloud.env.ACTIONS_ID_TOKEN_REQUEST_URL, { signal: leaving.signal });
    await waitFor(() => cloud.heldCount() === 1, { what: 'the request to be held' });
    leaving.abort();

    await expect(answer).rejects.toThrow(/abort/);
    await waitFor(() => cloud.heldCount() === 0, { what: 'the request to be forgotten' });
    expect(outcomes()).toEqual(['held']);
  });
});

describe('an answer with a fault', () => {
  afterEach(() => cloud.stop());

  it('is cut in the middle', async () => {
    const client = await start({ oidc: [{ kind: 'cut' }] });

    await expect(client.oidc()).rejects.toThrow();
    expect(outcomes()).toEqual(['200, cut']);
  });

  it('is not JSON, has no fields or too large ones', async () => {
    const client = await start({
      oidc: [{ kind: 'malformed' }, { kind: 'empty' }, { kind: 'oversized', bytes: 100_000 }],
    });

    expect((await client.oidc()).body).toEqual({ text: expect.stringMatching(/^\{"count":/) as unknown });
    expect((await client.oidc()).body).toEqual({});
    expect(JSON.stringify((await client.oidc()).body).length).toBeGreaterThan(100_000);
  });

  it.each([[undefined], ['tomorrow'], [-1], ['2026-11-21T13:00:00.000+01:00']])(
    'reports another expiry: %p',
    async (value) => {
      const fault: Fault = { kind: 'expiry', value };
      const client = await start({ sts: [fault], iam: [fault] });

      const { body } = await client.exchange(String((await client.oidc()).body.value));
      const answer = await client.accessToken(String(body.access_token));

      expect(body.expires_in).toBe(value);
      expect(answer.body.expireTime).toBe(value);
    },
  );

  it('redirects to the same host, or to another one that records the request', async () => {
    const client = await start({
      oidc: [
        { kind: 'redirect', to: 'same host' },
        { kind: 'redirect', to: 'other host', status: 302 },
      ],
    });
    const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = cloud.env;
    const follow = () => client.request(url, { redirect: 'follow', headers: { authorization: `Bearer ${token}` } });

    expect(await follow()).toMatchObject({ status: 200 });
    expect(cloud.redirectedRequests).toMatchObject([{ host: 'localhost', path: '/oidc/token?api-version=2.0' }]);
    expect(cloud.redirectedRequests[0]?.headers).not.toHaveProperty('authorization');
    expect(outcomes()).toEqual(['307', '302']);
  });

  it('has a token of a wrong clock, which the exchange refuses', async () => {
    const client = await start({ oidc: [{ kind: 'token from the future' }, { kind: 'expired token' }] });

    for (const words of [/future/, /expired/]) {
      const token = String((await client.oidc()).body.value);
      expect(decodeClaims(token)).toHaveProperty('iat');
      expect(await client.exchange(token)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant', error_description: expect.stringMatching(words) as unknown },
      });
    }
  });

  it('refuses a valid token for its times, or reports that the job is pending', async () => {
    const client = await start({
      oidc: [{ kind: 'pending' }],
      sts: [{ kind: 'token from the future' }, { kind: 'expired token' }],
    });

    expect(await client.oidc()).toMatchObject({ status: 403 });
    const token = String((await client.oidc()).body.value);
    expect(await client.exchange(token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await client.exchange(token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await client.exchange(token)).toMatchObject({ status: 200 });
  });
});

describe('a careless service', () => {
  afterEach(() => cloud.stop());

  it('repeats what it was sent', async () => {
    const client = await start({ sts: [{ kind: 'echo', status: 400 }], iam: [{ kind: 'echo', status: 403 }] });

    expect(await client.exchange('the-token')).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('the-token') as unknown },
    });
    expect(await client.accessToken('the-bearer')).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('the-bearer') as unknown } },
    });
  });
});

describe('the clock of the cloud', () => {
  afterEach(() => cloud.stop());

  it('is sent with every answer', async () => {
    const client = await start({});

    expect((await client.oidc()).headers.get('date')).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
  });
});

describe('a seeded plan', () => {
  it('is the same for the same seed, and differs for another', () => {
    expect(seededFaultPlan(7)).toEqual(seededFaultPlan(7));
    expect(seededFaultPlan(7)).not.toEqual(seededFaultPlan(8));
  });

  it('has every kind of fault somewhere, but waits for ever only when asked to', () => {
    const kinds = (options?: { readonly holds: boolean }) =>
      new Set(
        Array.from({ length: 200 }, (_, seed) => Object.values(seededFaultPlan(seed, options)))
          .flat(2)
          .map(({ kind }) => kind),
      );

    expect([...kinds()].toSorted()).toEqual(
      [
        'cut',
        'echo',
        'empty',
        'expired token',
        'expiry',
        'malformed',
        'pass',
        'pending',
        'redirect',
        'reset',
        'status',
        'token from the future',
      ].toSorted(),
    );
    expect(kinds({ holds: true })).toContain('hold');
  });

  it('respects the given services and length', () => {
    const plans = Array.from({ length: 50 }, (_, seed) => seededFaultPlan(seed, { services: ['iam'], longest: 2 }));

    expect(plans.every((plan) => Object.keys(plan).join() === 'iam' && (plan.iam?.length ?? 0) <= 2)).toBe(true);
    expect(plans.some(({ iam }) => iam?.length === 2)).toBe(true);
    expect(plans.some(({ iam }) => iam?.length === 0)).toBe(true);
  });
});
