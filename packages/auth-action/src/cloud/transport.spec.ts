import { createServer, type AddressInfo } from 'node:net';
import { freePort } from '@weir/test-kit';
import {
  replying,
  startLoopbackServer,
  startTlsServer,
  type LoopbackServer,
  type Reply,
} from './testing/loopback-server';
import { aCall, aGet, aTransport } from './testing/transport-rig';

describe('createTransport', () => {
  const servers: LoopbackServer[] = [];
  const serve = async (reply: Reply) => {
    const server = await startLoopbackServer(reply);
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  const date = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toUTCString();
  const reset: Reply = (response) => response.socket?.resetAndDestroy();
  const cutBody: Reply = (response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('{"access', () => response.destroy());
  };
  const text =
    (status: number, headers: Record<string, string>, body = ''): Reply =>
    (response) =>
      response.writeHead(status, headers).end(body);
  const inTurn =
    (...replies: readonly Reply[]): Reply =>
    (response, request, number) =>
      replies[Math.min(number, replies.length) - 1]?.(response, request, number);

  describe('a call that succeeds', () => {
    it('answers with status and body', async () => {
      const server = await serve(replying([200, { access_token: 'x' }]));
      const answer = await aTransport().transport.send(aCall(`${server.url}/token`));

      expect(answer).toMatchObject({ status: 200, body: '{"access_token":"x"}' });
      expect(server.requests[0]).toMatchObject({
        method: 'POST',
        path: '/token',
        body: '{"subjectToken":"the-secret"}',
      });
    });

    it('names itself and the reason of the request to a service of the cloud', async () => {
      const server = await serve(replying([200, {}]));
      await aTransport({ requestReason: 'ticket\n42 ü' }).transport.send(aCall(server.url));

      expect(server.requests[0]?.headers).toMatchObject({
        'user-agent': 'weir-auth-action/0.1.0',
        'x-goog-request-reason': 'ticket 42 %C3%BC',
        accept: 'application/json',
        'content-length': '29',
      });
    });

    it('does not tell the reason to the issuer of the job', async () => {
      const server = await serve(replying([200, {}]));
      await aTransport({ requestReason: 'x' }).transport.send(aGet(server.url));

      expect(server.requests[0]?.headers).not.toHaveProperty('x-goog-request-reason');
    });

    it('writes neither bodies nor queries into the debug log', async () => {
      const server = await serve(replying([503, { error: 'the-secret' }], [200, { access_token: 'other-secret' }]));
      const { transport, debugLines } = aTransport();
      await transport.send(aCall(`${server.url}/token?audience=private`));

      expect(debugLines).toEqual([
        `POST 127.0.0.1:${server.port} token exchange: 503, attempt 1, 0 ms`,
        `POST 127.0.0.1:${server.port} token exchange: 200, attempt 2, 0 ms`,
      ]);
    });
  });

  describe('a failure that may pass', () => {
    it.each([408, 429, 500, 502, 503, 504])('repeats a POST that was answered with %i', async (status) => {
      const server = await serve(replying([status, {}], [200, {}]));
      const { transport, waits } = aTransport();

      await expect(transport.send(aCall(server.url))).resolves.toMatchObject({ status: 200 });
      expect(waits).toEqual([125]);
    });

    it.each([
      ['reset', reset],
      ['cut in its body', cutBody],
      ['closed without an answer', ((response) => response.destroy()) satisfies Reply],
    ])('repeats a call that was %s', async (_name, reply) => {
      const server = await serve(inTurn(reply, replying([200, {}])));

      await expect(aTransport().transport.send(aCall(server.url))).resolves.toMatchObject({ status: 200 });
    });

    it('repeats a call whose TLS handshake was cut', async () => {
      const server = createServer((socket) => socket.destroy());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;

      await expect(aTransport().transport.send(aCall(`https://127.0.0.1:${port}`))).rejects.toMatchObject({
        reason: 'network_unreachable',
        details: { attempts: 6, description: 'ECONNRESET' },
      });
      await new Promise((resolve) => server.close(resolve));
    });

    it('repeats a call whose answer does not come in time', async () => {
      const silent: Reply = () => undefined;
      const stalled: Reply = (response) => response.writeHead(200).write('{');
      const server = await serve(inTurn(silent, stalled, replying([200, {}])));
      const { transport, debugLines } = aTransport({ attemptTimeoutMs: 60 });

      await expect(transport.send(aCall(server.url))).resolves.toMatchObject({ status: 200 });
      expect(debugLines.filter((line) => line.includes('network_unreachable no response in time'))).toHaveLength(2);
    });

    it('waits twice as long every time and gives up after six attempts', async () => {
      const server = await serve(replying([503, { error: { message: 'Later.', status: 'UNAVAILABLE' } }]));
      const { transport, waits } = aTransport();

      await expect(transport.send(aCall(server.url))).rejects.toMatchObject({
        code: 'upstream_failed',
        reason: 'sts_refused',
        details: { service: 'sts', status: 503, attempts: 6, googleReason: 'UNAVAILABLE', description: 'Later.' },
      });
      expect(waits).toEqual([125, 250, 500, 1000, 2000]);
      expect(server.requests).toHaveLength(6);
    });

    it.each([
      ['seconds', { 'Retry-After': ' 7 ' }, 7000],
      ['a date, from the date of the answer', { 'Retry-After': date(12), Date: date(7) }, 5000],
      ['a date in the past', { 'Retry-After': date(2), Date: date(7) }, 125],
      ['neither', { 'Retry-After': 'soon' }, 125],
    ])('waits as long as a Retry-After of %s says', async (_name, headers, wait) => {
      const server = await serve(inTurn(text(429, headers), replying([200, {}])));
      const { transport, waits } = aTransport();
      await transport.send(aCall(server.url));

      expect(waits).toEqual([wait]);
    });

    it('goes by its own clock where the answer has no date', async () => {
      const undated: Reply = (response) => {
        response.sendDate = false;
        response.writeHead(503, { 'Retry-After': date(12) }).end();
      };
      const server = await serve(inTurn(undated, replying([200, {}])));
      const { transport, waits } = aTransport();
      await transport.send(aCall(server.url));

      expect(waits).toEqual([12_000]);
    });

    it('repeats a token request for a job that is still pending', async () => {
      const pending = { message: 'The job is pending registration.' };
      const server = await serve(replying([403, pending], [200, {}]));

      await expect(aTransport().transport.send(aGet(server.url))).resolves.toMatchObject({
        status: 200,
      });
    });
  });

  describe('the deadline', () => {
    it('does not wait for a Retry-After beyond it', async () => {
      const server = await serve(text(503, { 'Retry-After': '30' }));
      const { transport, waits } = aTransport();

      await expect(transport.send(aCall(server.url))).rejects.toMatchObject({
        code: 'upstream_timeout',
        reason: 'deadline_passed',
        message: `The token exchange timed out after 1 attempt. 127.0.0.1:${server.port} rejected the token exchange with status 503.`,
        details: { service: 'sts', status: 503, attempts: 1, lastReason: 'sts_refused' },
      });
      expect(waits).toEqual([]);
    });

    it('ends the attempts of a call that is always too slow', async () => {
      const server = await serve(() => undefined);
      const deadline = Date.now() + 150;
      const { transport } = aTransport({ now: Date.now, deadline, random: () => 0 });

      await expect(transport.send(aCall(server.url))).rejects.toMatchObject({
        reason: 'deadline_passed',
        details: { lastReason: 'network_unreachable', description: 'no response in time' },
      });
    });

    it('is checked before the first attempt and again after every wait', async () => {
      const server = await serve(replying([503, {}]));
      let now = 0;
      const sleepsLong = () => Promise.resolve(void (now = 2000));
      const { transport } = aTransport({ now: () => now, deadline: 1000, sleep: sleepsLong });

      await expect(transport.send(aCall(server.url))).rejects.toMatchObject({
        message: expect.stringContaining('after 1 attempt. ') as string,
      });
      await expect(transport.send(aCall(server.url))).rejects.toMatchObject({
        message: 'The token exchange timed out before the first attempt.',
        details: { attempts: 0 },
      });
      expect(server.requests).toHaveLength(1);
    });

    it('says how many attempts there were', async () => {
      const server = await serve(inTurn(text(503, {}), text(503, { 'Retry-After': '60' })));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        message: expect.stringContaining('after 2 attempts. ') as string,
      });
    });

    it('bounds a pause', async () => {
      const { transport, waits } = aTransport();
      await transport.pause(1000);
      await transport.pause(60_000);
      await transport.pause(1);

      expect(waits).toEqual([1000, 29_000, 0]);
    });
  });

  describe('a failure that stays', () => {
    it.each([
      [400, 'upstream_failed'],
      [401, 'unauthenticated'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [501, 'upstream_failed'],
    ])('does not repeat a call that was answered with %i', async (status, code) => {
      const server = await serve(replying([status, {}]));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        code,
        reason: 'sts_refused',
      });
      expect(server.requests).toHaveLength(1);
    });

    it('does not repeat a token request that was refused for good', async () => {
      const server = await serve(text(403, {}));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({
        reason: 'oidc_refused',
        details: { attempts: 1 },
      });
    });

    it('quotes the service without the secrets it repeats', async () => {
      const server = await serve(replying([400, { error: 'invalid_grant', error_description: 'Bad the-secret\n.' }]));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        message: `127.0.0.1:${server.port} rejected the token exchange with status 400 (invalid_grant): "Bad *** ."`,
      });
    });

    it('tells how far the clocks are apart', async () => {
      const server = await serve(text(401, { Date: 'Thu, 01 Jan 2026 00:10:00 GMT' }));

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

    it('says what to do about a certificate that is not trusted', async () => {
      const server = await startTlsServer(replying([200, {}]));
      servers.push(server);

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        reason: 'tls_failed',
        message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
        details: { attempts: 1, description: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      });
    });

    it('does not take a service without TLS for one with it', async () => {
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

  describe('a redirect', () => {
    it('is followed by a GET at the same origin', async () => {
      const server = await serve(inTurn(text(307, { Location: '/elsewhere' }), replying([200, {}])));
      await aTransport().transport.send(aGet(server.url));

      expect(server.requests.map(({ path }) => path)).toEqual(['/', '/elsewhere']);
    });

    it('is not followed to another origin', async () => {
      const other = await serve(replying([200, {}]));
      const server = await serve(text(302, { Location: other.url }));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({ details: { status: 302 } });
      expect(other.requests).toEqual([]);
    });

    it('is not followed by a POST', async () => {
      const server = await serve(text(307, { Location: '/elsewhere' }));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({ details: { status: 307 } });
      expect(server.requests).toHaveLength(1);
    });

    it('is refused where it leads nowhere', async () => {
      const server = await serve(text(307, {}));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({ details: { status: 307 } });
    });

    it('is followed three times at most', async () => {
      const server = await serve(text(307, { Location: '/again' }));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({ details: { status: 307 } });
      expect(server.requests).toHaveLength(4);
    });
  });
});
