import { freePort } from '@weir/test-kit';
import { replying, startTlsServer } from './testing/loopback-server';
import { replyText, useLoopbackServers } from './testing/replies';
import { aCall, aGet, aTransport } from './testing/transport-rig';

describe('createTransport fails', () => {
  const serve = useLoopbackServers();

  describe('a permanent failure', () => {
    it.each([
      [400, 'upstream_failed', 'sts_refused'],
      [401, 'unauthenticated', 'sts_refused'],
      [403, 'forbidden', 'sts_refused'],
      [404, 'not_found', 'sts_refused'],
      [501, 'upstream_failed', 'service_unavailable'],
    ])('does not repeat a call that was answered with %i', async (status, code, reason) => {
      const server = await serve(replying([status, {}]));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        code,
        reason,
      });
      expect(server.requests).toHaveLength(1);
    });

    it.each([
      [400, 3],
      [401, 1],
      [403, 3],
    ])('answered to a token request with %i is final after %i attempts', async (status, attempts) => {
      const server = await serve(replyText(status, {}));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({
        reason: 'oidc_refused',
        details: { attempts },
      });
    });

    it('quotes the service without the secrets it repeats', async () => {
      const server = await serve(replying([400, { error: 'invalid_grant', error_description: 'Bad the-secret\n.' }]));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        message: `127.0.0.1:${server.port} rejected the token exchange with status 400 (invalid_grant): "Bad *** ."`,
      });
    });

    it('reports the clock difference', async () => {
      const server = await serve(replyText(401, { Date: 'Thu, 01 Jan 2026 00:10:00 GMT' }));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        details: { clockSkewSeconds: -600 },
      });
    });

    it('refuses an answer that is larger than any token', async () => {
      const server = await serve((response) => response.end('x'.repeat(300_000)));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        reason: 'answer_malformed',
        details: { description: 'more than 262144 bytes', attempts: 1 },
      });
    });

    it('refuses an answer that is not HTTP', async () => {
      const server = await serve((response) => response.socket?.end('SSH-2.0-OpenSSH\r\n'));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        reason: 'answer_malformed',
      });
    });

    it('names a host that does not listen', async () => {
      const port = await freePort();

      await expect(aTransport().transport.send(aCall(`http://127.0.0.1:${port}`))).rejects.toMatchObject({
        message: `127.0.0.1:${port} could not be reached for the token exchange: ECONNREFUSED.`,
        reason: 'network_unreachable',
        details: { attempts: 6, description: 'ECONNREFUSED' },
      });
    });

    it('explains what to do about an untrusted certificate', async () => {
      const server = await serve(replying([200, {}]), startTlsServer);

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        reason: 'tls_failed',
        message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
        details: { attempts: 1, description: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      });
    });

    it('does not treat a service without TLS as one with it', async () => {
      const server = await serve(replying([200, {}]));
      const address = server.url.replace('http:', 'https:');

      await expect(aTransport().transport.send(aCall(address))).rejects.toMatchObject({
        reason: 'tls_failed',
        details: { attempts: 1 },
      });
    });

    it.each(['http://sts.example.test/token', 'ftp://127.0.0.1/token'])('sends nothing to %s', async (address) => {
      await expect(aTransport().transport.send(aCall(address))).rejects.toMatchObject({ reason: 'address_unsafe' });
    });
  });
});
