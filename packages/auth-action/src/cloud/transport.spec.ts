import { replying } from './testing/loopback-server';
import { replyInOrder, replyText, useLoopbackServers } from './testing/replies';
import { aCall, aGet, aTransport } from './testing/transport-rig';

describe('createTransport', () => {
  const serve = useLoopbackServers();

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
      await aTransport({ requestReason: 'ticket\n42 ü€' }).transport.send(aCall(server.url));

      expect(server.requests[0]?.headers).toMatchObject({
        'user-agent': 'weir-auth-action/0.1.0',
        accept: 'application/json',
        'content-length': '29',
      });
      const reason = String(server.requests[0]?.headers['x-goog-request-reason']);
      expect(Buffer.from(reason, 'latin1').toString('utf8')).toBe('ticket 42 ü%E2%82%AC');
    });

    it('does not send the request reason to the CI provider', async () => {
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

  describe('the deadline', () => {
    it('does not wait for a Retry-After beyond it', async () => {
      const server = await serve(replyText(503, { 'Retry-After': '30' }));
      const { transport, waits } = aTransport();

      await expect(transport.send(aCall(server.url))).rejects.toMatchObject({
        code: 'upstream_timeout',
        reason: 'deadline_passed',
        message: `The token exchange timed out after 1 attempt. 127.0.0.1:${server.port} rejected the token exchange with status 503.`,
        details: { service: 'sts', status: 503, attempts: 1, lastReason: 'service_unavailable' },
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

    it('reports the number of attempts', async () => {
      const server = await serve(replyInOrder(replyText(503, {}), replyText(503, { 'Retry-After': '60' })));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({
        message: expect.stringContaining('after 2 attempts. ') as string,
      });
    });

    it('limits a pause', async () => {
      const { transport, waits } = aTransport();
      await transport.pause(1000);
      await transport.pause(60_000);
      await transport.pause(1);

      expect(waits).toEqual([1000, 29_000, 0]);
    });
  });

  describe('a redirect', () => {
    it('is followed by a GET at the same origin', async () => {
      const server = await serve(replyInOrder(replyText(307, { Location: '/elsewhere' }), replying([200, {}])));
      await aTransport().transport.send(aGet(server.url));

      expect(server.requests.map(({ path }) => path)).toEqual(['/', '/elsewhere']);
    });

    it('is not followed to another origin', async () => {
      const other = await serve(replying([200, {}]));
      const server = await serve(replyText(302, { Location: other.url }));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({ details: { status: 302 } });
      expect(other.requests).toEqual([]);
    });

    it('is not followed by a POST', async () => {
      const server = await serve(replyText(307, { Location: '/elsewhere' }));

      await expect(aTransport().transport.send(aCall(server.url))).rejects.toMatchObject({ details: { status: 307 } });
      expect(server.requests).toHaveLength(1);
    });

    it('is an error without a valid target', async () => {
      const server = await serve(replyText(307, {}));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({ details: { status: 307 } });
    });

    it('is followed three times at most', async () => {
      const server = await serve(replyText(307, { Location: '/again' }));

      await expect(aTransport().transport.send(aGet(server.url))).rejects.toMatchObject({ details: { status: 307 } });
      expect(server.requests).toHaveLength(4);
    });
  });
});
