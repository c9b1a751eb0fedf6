import { createServer, type AddressInfo } from 'node:net';
import { replying, type Reply } from './testing/loopback-server';
import { httpDate, replyInOrder, replyText, reset, truncatedBody, useLoopbackServers } from './testing/replies';
import { aCall, aGet, aTransport } from './testing/transport-rig';

describe('createTransport retries', () => {
  const serve = useLoopbackServers();

  describe('a temporary failure', () => {
    it.each([408, 429, 500, 502, 503, 504])('repeats a POST that was answered with %i', async (status) => {
      const server = await serve(replying([status, {}], [200, {}]));
      const { transport, waits } = aTransport();

      await expect(transport.send(aCall(server.url))).resolves.toMatchObject({ status: 200 });
      expect(waits).toEqual([125]);
    });

    it.each([
      ['reset', reset],
      ['cut in its body', truncatedBody],
      ['closed without an answer', ((response) => response.destroy()) satisfies Reply],
    ])('repeats a call that was %s', async (_name, reply) => {
      const server = await serve(replyInOrder(reply, replying([200, {}])));

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
      const server = await serve(replyInOrder(silent, stalled, replying([200, {}])));
      const { transport, debugLines } = aTransport({ attemptTimeoutMs: 1000 });

      await expect(transport.send(aCall(server.url))).resolves.toMatchObject({ status: 200 });
      expect(debugLines.filter((line) => line.includes('network_unreachable no response in time'))).toHaveLength(2);
    });

    it('waits twice as long every time and gives up after six attempts', async () => {
      const server = await serve(replying([503, { error: { message: 'Later.', status: 'UNAVAILABLE' } }]));
      const { transport, waits } = aTransport();

      await expect(transport.send(aCall(server.url))).rejects.toMatchObject({
        code: 'upstream_failed',
        reason: 'service_unavailable',
        details: { service: 'sts', status: 503, attempts: 6, googleReason: 'UNAVAILABLE', description: 'Later.' },
      });
      expect(waits).toEqual([125, 250, 500, 1000, 2000]);
      expect(server.requests).toHaveLength(6);
    });

    it.each([
      ['seconds', { 'Retry-After': ' 7 ' }, 7000],
      ['a date, from the date of the answer', { 'Retry-After': httpDate(12), Date: httpDate(7) }, 5000],
      ['a date in the past', { 'Retry-After': httpDate(2), Date: httpDate(7) }, 125],
      ['neither', { 'Retry-After': 'soon' }, 125],
    ])('waits as long as a Retry-After of %s says', async (_name, headers, wait) => {
      const server = await serve(replyInOrder(replyText(429, headers), replying([200, {}])));
      const { transport, waits } = aTransport();
      await transport.send(aCall(server.url));

      expect(waits).toEqual([wait]);
    });

    it('uses its own clock if the response has no date', async () => {
      const undated: Reply = (response) => {
        response.sendDate = false;
        response.writeHead(503, { 'Retry-After': httpDate(12) }).end();
      };
      const server = await serve(replyInOrder(undated, replying([200, {}])));
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
});
