import { createHmac } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

interface Created {
  readonly token: string;
  readonly webhook: { readonly tokenPrefix: string };
}

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  const as = () => ({ token: admin });
  const addDag = (name: string, spec = 'steps:\n  - run: "true"\n') =>
    weir.createClient(admin).createNewDag({ body: { name, spec } });
  const create = async (name: string): Promise<Created> =>
    (await weir.request('POST', `/dags/${name}/webhook`, as())).body as Created;
  const trigger = (name: string, token: string | undefined, body: unknown = {}) =>
    weir.request('POST', `/webhooks/${name}`, { token, body });

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    await addDag('plain');
  }, 60_000);

  afterAll(() => weir.dispose());

  describe('POST /dags/{fileName}/webhook', () => {
    it('returns 201 with a token that is not shown again, and 409 for a second one', async () => {
      await addDag('made');
      const { status, body } = await weir.request('POST', '/dags/made/webhook', as());
      const { token } = body as Created;

      expect(status).toBe(201);
      expect(body).toMatchObject({ webhook: { dagName: 'made', enabled: true, tokenPrefix: token.slice(0, 12) } });
      const again = await weir.request('GET', '/dags/made/webhook', as());
      expect(JSON.stringify(again.body)).not.toContain(token);
      expect((await weir.request('GET', '/audit?category=webhook', as())).status).toBe(200);
    });

    it('returns 409 when the DAG has one', async () => {
      await addDag('twice');
      await create('twice');

      expect(await weir.request('POST', '/dags/twice/webhook', as())).toMatchObject({
        status: 409,
        body: { code: 'already_exists', reason: 'webhook_exists' },
      });
    });

    it('returns 403 to an operator', async () => {
      const { token } = await aUser(weir, admin, 'operator');

      expect((await weir.request('POST', '/dags/plain/webhook', { token })).status).toBe(403);
    });
  });

  describe('GET /webhooks', () => {
    it('returns 200 with the webhooks, without tokens or digests', async () => {
      await addDag('listed');
      const { token } = await create('listed');
      const { status, body } = await weir.request('GET', '/webhooks', as());

      expect(status).toBe(200);
      expect((body as { webhooks: { dagName: string }[] }).webhooks.map(({ dagName }) => dagName)).toContain('listed');
      expect(JSON.stringify(body)).not.toContain(token);
      expect(JSON.stringify(body)).not.toContain('igest');
    });
  });

  describe('GET /dags/{fileName}/webhook', () => {
    it('returns 200 with the webhook', async () => {
      await addDag('read');
      await create('read');

      expect(await weir.request('GET', '/dags/read/webhook', as())).toMatchObject({ status: 200 });
    });

    it('returns 404 for a DAG without one', async () => {
      expect(await weir.request('GET', '/dags/plain/webhook', as())).toMatchObject({
        status: 404,
        body: { reason: 'webhook_not_found' },
      });
    });
  });

  describe('POST /dags/{fileName}/webhook/regenerate', () => {
    it('returns 200 with a new token, and the former one is refused', async () => {
      await addDag('rotated');
      const { token } = await create('rotated');
      const { status, body } = await weir.request('POST', '/dags/rotated/webhook/regenerate', as());

      expect(status).toBe(200);
      expect((await trigger('rotated', token)).status).toBe(401);
      expect((await trigger('rotated', (body as Created).token)).status).toBe(200);
    });

    it('returns 404 for a DAG without one', async () => {
      expect((await weir.request('POST', '/dags/plain/webhook/regenerate', as())).status).toBe(404);
    });
  });

  describe('POST /dags/{fileName}/webhook/toggle', () => {
    it('returns 200, and the webhook starts no runs until it is switched on again', async () => {
      await addDag('toggled');
      const { token } = await create('toggled');
      const toggle = (enabled: boolean) =>
        weir.request('POST', '/dags/toggled/webhook/toggle', { ...as(), body: { enabled } });

      expect(await toggle(false)).toMatchObject({ status: 200, body: { enabled: false } });
      expect((await trigger('toggled', token)).status).toBe(403);
      await toggle(true);
      expect((await trigger('toggled', token)).status).toBe(200);
    });

    it('returns 404 for a DAG without one', async () => {
      const body = { enabled: true };
      expect((await weir.request('POST', '/dags/plain/webhook/toggle', { ...as(), body })).status).toBe(404);
    });
  });

  describe('DELETE /dags/{fileName}/webhook', () => {
    it('returns 204, and the token is refused', async () => {
      await addDag('deleted');
      const { token } = await create('deleted');

      expect((await weir.request('DELETE', '/dags/deleted/webhook', as())).status).toBe(204);
      expect((await trigger('deleted', token)).status).toBe(401);
    });

    it('returns 404 for a DAG without one', async () => {
      expect((await weir.request('DELETE', '/dags/plain/webhook', as())).status).toBe(404);
    });
  });

  describe('POST /webhooks/{fileName}', () => {
    it('returns 200, and a step reads the payload, which no shell executes', async () => {
      await addDag(
        'payload',
        'params:\n  - region: eu\nsteps:\n  - id: read\n    run: printf %s "$WEBHOOK_PAYLOAD"\n    output: GOT\n',
      );
      const { token } = await create('payload');
      const payload = { ref: '$(touch owned) `id` "; exit 3 #', list: [1] };
      const { status, body } = await trigger('payload', token, { payload });
      const { dagRunId } = body as { readonly dagRunId: string };
      const run = await endOfRun(weir, admin, 'payload', dagRunId);
      const outputs = await weir.request('GET', `/dag-runs/payload/${dagRunId}/outputs`, as());

      expect(status).toBe(200);
      expect(run).toMatchObject({ statusLabel: 'succeeded', triggerType: 'webhook' });
      const { got } = (outputs.body as { readonly outputs: { readonly got: string } }).outputs;
      expect(JSON.parse(got)).toEqual(payload);
    });

    it('returns 200, and a step reads the forwarded headers of the call, which a shell does not execute either', async () => {
      await addDag(
        'headers',
        'webhook: {forward_headers: [X-Request-Id, X-Missing]}\nsteps:\n  - run: printf %s "$WEBHOOK_HEADERS"\n    output: GOT\n',
      );
      const { token } = await create('headers');
      const headers = { 'x-request-id': '$(touch owned) "7"', 'x-other': 'no' };
      const { body } = await weir.request('POST', '/webhooks/headers', { token, body: {}, headers });
      const { dagRunId } = body as { readonly dagRunId: string };
      await endOfRun(weir, admin, 'headers', dagRunId);
      const outputs = await weir.request('GET', `/dag-runs/headers/${dagRunId}/outputs`, as());

      const { got } = (outputs.body as { readonly outputs: { readonly got: string } }).outputs;
      expect(JSON.parse(got)).toEqual({ 'x-request-id': ['$(touch owned) "7"'] });
    });

    it('returns 200 for a call that names a runtime profile, and 400 or 403 for one that it may not have', async () => {
      await addDag('profiled', 'steps:\n  - run: printf %s "$STAGE"\n    output: GOT\n');
      for (const [name, more] of Object.entries({ staging: {}, guarded: { protected: true } })) {
        await weir.request('POST', '/profiles', { ...as(), body: { name, ...more } });
        await weir.request('PUT', `/profiles/${name}/variables/STAGE`, { ...as(), body: { value: name } });
      }
      const { token } = await create('profiled');
      const call = (profile: string) =>
        weir.request('POST', '/webhooks/profiled', { token, body: {}, headers: { 'x-dagu-profile': profile } });
      const { status, body } = await call('staging');
      const { dagRunId } = body as { readonly dagRunId: string };
      await endOfRun(weir, admin, 'profiled', dagRunId);
      const outputs = await weir.request('GET', `/dag-runs/profiled/${dagRunId}/outputs`, as());

      expect([status, outputs.body]).toMatchObject([200, { outputs: { got: 'staging' } }]);
      expect(await call('nowhere')).toMatchObject({ status: 400, body: { reason: 'profile_unknown' } });
      expect(await call('guarded')).toMatchObject({ status: 403, body: { reason: 'profile_protected' } });
      const settings = { verification: { style: 'github' } };
      await weir.request('PUT', '/dags/profiled/webhook/settings', { ...as(), body: settings });
      const secret = await weir.request('POST', '/dags/profiled/webhook/secret', { ...as(), body: {} });
      const key = (secret.body as { readonly secret: string }).secret;
      const signature = `sha256=${createHmac('sha256', key).update('{}').digest('hex')}`;
      const headers = { 'x-hub-signature-256': signature, 'x-weir-profile': 'staging' };
      expect(await weir.request('POST', '/webhooks/profiled', { body: {}, headers })).toMatchObject({
        status: 403,
        body: { reason: 'webhook_profile_unsigned' },
      });
    });

    it('returns 400 for a body that is not a JSON object, and 401 for a token of another DAG or none', async () => {
      await addDag('strict');
      const { token } = await create('strict');
      await addDag('other');
      const other = await create('other');

      expect((await trigger('strict', token, [1])).status).toBe(400);
      expect((await trigger('strict', other.token)).status).toBe(401);
      expect((await trigger('strict', undefined)).status).toBe(401);
      expect((await trigger('strict', admin)).status).toBe(401);
    });

    it('returns 401 for a DAG without a webhook, as for a wrong token', async () => {
      const refusal = { status: 401, body: { reason: 'webhook_token_invalid' } };

      expect(await trigger('plain', 'weir_wh_wrong')).toMatchObject(refusal);
      expect(await trigger('nowhere', 'weir_wh_wrong')).toMatchObject(refusal);
    });

    it('returns 403 for a disabled webhook, but only with the token', async () => {
      await addDag('off');
      const { token } = await create('off');
      await weir.request('POST', '/dags/off/webhook/toggle', { ...as(), body: { enabled: false } });

      expect(await trigger('off', token)).toMatchObject({ status: 403, body: { reason: 'webhook_disabled' } });
      expect((await trigger('off', 'weir_wh_wrong')).status).toBe(401);
    });

    it('returns 404 once the file of the DAG is gone, and a deleted DAG takes its webhook with it', async () => {
      await addDag('gone');
      const { token } = await create('gone');
      await rm(weir.home.file('weir', 'dags', 'gone.yaml'));
      expect(await trigger('gone', token)).toMatchObject({ status: 404, body: { reason: 'dag_not_found' } });

      await addDag('removed');
      const removed = await create('removed');
      await weir.request('DELETE', '/dags/removed', as());
      expect((await trigger('removed', removed.token)).status).toBe(401);
    });

    it('returns 409 for the id of an existing run, so that a repeated call starts nothing', async () => {
      await addDag('once');
      const { token } = await create('once');
      expect((await trigger('once', token, { dagRunId: 'one' })).status).toBe(200);

      expect(await trigger('once', token, { dagRunId: 'one' })).toMatchObject({
        status: 409,
        body: { reason: 'dag_run_exists' },
      });
    });

    it('returns 413 for a body over 100,000 bytes', async () => {
      await addDag('large');
      const { token } = await create('large');

      expect((await trigger('large', token, { text: 'x'.repeat(100_000) })).status).toBe(413);
    });

    it('returns 429 for another wrong token of an address that has sent five, and takes the right one', async () => {
      await addDag('guessed');
      const { token } = await create('guessed');
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect((await trigger('guessed', `weir_wh_${attempt}`)).status).toBe(401);
      }

      expect(await trigger('guessed', 'weir_wh_5')).toMatchObject({
        status: 429,
        body: { reason: 'too_many_attempts' },
      });
      expect((await trigger('guessed', token)).status).toBe(200);
    });
  });
});
