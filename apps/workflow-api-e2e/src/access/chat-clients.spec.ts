import { createHash } from 'node:crypto';
import { onEachDatabase } from '../support/databases';
import { adminName, password, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

const verifier = 'v'.repeat(43);
const redirectAddress = 'http://127.0.0.1:1234/callback';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    weir = await start();
    admin = await setUpAdmin(weir);
    const { headers: signedIn } = await weir.request('POST', '/auth/login', {
      body: { username: adminName, password, session: true },
    });
    headers = { cookie: signedIn.getSetCookie()[0]?.split(';')[0] ?? '' };
  }, 60_000);
  afterAll(() => weir.dispose());

  const address = (path: string): string => new URL(path, weir.baseUrl).href;

  const post = async (path: string, body: URLSearchParams | object) => {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(address(path), {
      method: 'POST',
      headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
      body: isForm ? body.toString() : JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, string>;
  };

  const aRequest = async (values: Record<string, string> = {}): Promise<string> => {
    const { client_id: clientId = '' } = await post('/oauth/register', {
      client_name: 'Chat',
      redirect_uris: [redirectAddress],
    });
    return new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectAddress,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...values,
    }).toString();
  };

  const connect = async () => {
    const request = await aRequest();
    const { body } = await weir.request('POST', '/auth/connections', { headers, body: { request, access: 'read' } });
    const { searchParams } = new URL((body as { readonly redirectAddress: string }).redirectAddress);
    return post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: new URLSearchParams(request).get('client_id') ?? '',
        redirect_uri: redirectAddress,
        code: searchParams.get('code') ?? '',
        code_verifier: verifier,
      }),
    );
  };

  const list = async () => {
    const { status, body } = await weir.request('GET', '/auth/connections', { headers });
    return { status, connections: (body as { readonly connections: { readonly id: string }[] }).connections };
  };

  describe('GET /auth/connections', () => {
    it('returns 200 with the chat clients of the caller', async () => {
      await connect();
      const { status, connections } = await list();
      expect(status).toBe(200);
      expect(connections).toMatchObject([{ clientName: 'Chat', access: 'read' }]);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/auth/connections')).status).toBe(401);
    });
  });

  describe('GET /auth/connections/request', () => {
    const describeRequest = (request: string, options: { headers?: Record<string, string> } = { headers }) =>
      weir.request('GET', `/auth/connections/request?${new URLSearchParams({ request }).toString()}`, options);

    it('returns 200 with what the person is asked', async () => {
      const { status, body } = await describeRequest(await aRequest());
      expect(status).toBe(200);
      expect(body).toMatchObject({ clientName: 'Chat', redirectAddress, resource: address('/mcp') });
    });

    it('returns 400 for an unknown client, and for another redirect address', async () => {
      const unknown = await describeRequest(await aRequest({ client_id: 'nobody' }));
      expect(unknown).toMatchObject({ status: 400, body: { reason: 'client_unknown' } });
      const elsewhere = await describeRequest(await aRequest({ redirect_uri: 'https://attacker.example/' }));
      expect(elsewhere).toMatchObject({ status: 400, body: { reason: 'redirect_mismatch' } });
    });

    it('returns 401 without a credential', async () => {
      expect((await describeRequest('client_id=1', {})).status).toBe(401);
    });
  });

  describe('POST /auth/connections', () => {
    it('returns 200 with the next page', async () => {
      const body = { request: await aRequest(), access: null };
      const answer = await weir.request('POST', '/auth/connections', { headers, body });
      expect(answer).toMatchObject({
        status: 200,
        body: { redirectAddress: expect.stringContaining('error=access_denied') as string },
      });
    });

    it('returns 400 for a request without PKCE', async () => {
      const body = { request: await aRequest({ code_challenge_method: 'plain' }), access: 'read' };
      const answer = await weir.request('POST', '/auth/connections', { headers, body });
      expect(answer).toMatchObject({ status: 400, body: { reason: 'client_request_invalid' } });
    });

    it('returns 401 without a credential', async () => {
      const body = { request: 'client_id=1', access: 'read' };
      expect((await weir.request('POST', '/auth/connections', { body })).status).toBe(401);
    });

    it('returns 403 for a token', async () => {
      const body = { request: await aRequest(), access: 'read' };
      const answer = await weir.request('POST', '/auth/connections', { token: admin, body });
      expect(answer).toMatchObject({ status: 403, body: { reason: 'session_required' } });
    });
  });

  describe('DELETE /auth/connections/{connectionId}', () => {
    it('returns 204 and ends the tokens', async () => {
      const { access_token: token } = await connect();
      const ping = async () =>
        (await fetch(address('/mcp'), { headers: { authorization: `Bearer ${token ?? ''}` } })).status;
      expect(await ping()).toBe(405);

      for (const { id } of (await list()).connections) {
        expect((await weir.request('DELETE', `/auth/connections/${id}`, { headers })).status).toBe(204);
      }
      expect(await ping()).toBe(401);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('DELETE', '/auth/connections/1')).status).toBe(401);
    });

    it('returns 404 for a connection that the caller does not have', async () => {
      expect(await weir.request('DELETE', '/auth/connections/1', { headers })).toMatchObject({
        status: 404,
        body: { reason: 'connection_not_found' },
      });
    });
  });

  describe('the token of a chat client', () => {
    it('is worth nothing at the API', async () => {
      const { access_token: token } = await connect();
      expect(await weir.request('GET', '/dags', { token })).toMatchObject({
        status: 403,
        body: { reason: 'surface_missing' },
      });
    });
  });
});
