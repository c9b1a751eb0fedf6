import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { isAppError } from '@weir/foundation';
import { waitFor } from '@weir/test-kit';
import express from 'express';
import { listenHttp, type HttpServer } from '../http/http-server';
import { createJsonBodyReader } from './json-body';

const maxBytes = 1_000_000;

describe('createJsonBodyReader', () => {
  let server: HttpServer;
  let outcomes: unknown[];
  let clients: Socket[];

  beforeEach(async () => {
    outcomes = [];
    clients = [];
    const readBody = createJsonBodyReader({ maxBytes });
    const app = express();
    app.post('/', async (req, res) => {
      try {
        const body = await readBody(req, res);
        outcomes.push(body);
        res.json({ body: body ?? 'nothing' });
      } catch (error) {
        outcomes.push(error);
        res.json(isAppError(error) ? { code: error.code, reason: error.reason } : { thrown: String(error) });
      }
    });
    server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
  });

  afterEach(async () => {
    for (const client of clients) client.destroy();
    await server.stop();
  });

  async function post(body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}): Promise<unknown> {
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      duplex: 'half',
      signal: AbortSignal.timeout(10_000),
    };
    const response = await fetch(server.url, init);
    return response.json();
  }

  function open(head: string): { client: Socket; answer: () => string } {
    const client = connect(server.port, '127.0.0.1');
    clients.push(client);
    let answer = '';
    client.on('data', (chunk) => (answer += chunk.toString()));
    // The server may cut the connection while the rest of a body is still being written.
    client.on('error', () => undefined);
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n\r\n`);
    return { client, answer: () => answer };
  }

  describe('reads', () => {
    it.each([
      ['an object', '{"a":[1]}', {}, { a: [1] }],
      ['a bare value', '5', {}, 5],
      ['null', 'null', {}, null],
      ['a type with +json', '{"a":1}', { 'content-type': 'application/merge-patch+json' }, { a: 1 }],
      ['a named charset', '{"a":"ä"}', { 'content-type': 'application/json; charset="UTF-8"' }, { a: 'ä' }],
      ['a byte order mark', '\uFEFF{"a":1}', {}, { a: 1 }],
      ['gzip', gzipSync('{"a":1}'), { 'content-encoding': 'gzip' }, { a: 1 }],
    ])('%s', async (_, body, headers, expected) => {
      await post(body, headers);

      expect(outcomes).toEqual([expected]);
    });

    it.each([
      ['no body', 'Connection: close'],
      ['a body of length 0', 'Content-Length: 0'],
      ['an empty chunked body', 'Transfer-Encoding: chunked\r\n\r\n0'],
    ])('nothing from %s', async (_, head) => {
      open(head);
      await waitFor(() => outcomes.length > 0, { what: 'the body to be read' });

      expect(outcomes).toEqual([undefined]);
    });

    it('a __proto__ key without touching any prototype', async () => {
      await post('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');

      const [body] = outcomes as [object];
      expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
      expect('isAdmin' in body).toBe(false);
      expect('isAdmin' in {}).toBe(false);
    });
  });

  describe('refuses with invalid_request', () => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);

    it.each([
      ['malformed JSON', '{"a":', {}, 'body_not_json'],
      ['blank text', '  ', {}, 'body_not_json'],
      ['two values', '{}{}', {}, 'body_not_json'],
      ['another media type', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 'body_not_json'],
      ['a media type that is none', '{}', { 'content-type': ';;;' }, 'body_not_json'],
      ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'body_not_utf8'],
      ['a surrogate written as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), {}, 'body_not_utf8'],
      ['UTF-16', Buffer.from('{}', 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }, 'body_not_utf8'],
      ['UTF-7', '{}', { 'content-type': 'application/json;charset=utf-7' }, 'body_not_utf8'],
      ['100,000 nested arrays', nested, {}, 'body_too_deep'],
      ['100,000 arrays that never close', '['.repeat(100_000), {}, 'body_too_deep'],
      ['an unknown compression', '{}', { 'content-encoding': 'lzma' }, 'body_unreadable'],
      ['gzip that is none', '{"a":1}', { 'content-encoding': 'gzip' }, 'body_unreadable'],
      ['gzip that was cut off', gzipSync('{"a":1}').subarray(0, 15), { 'content-encoding': 'gzip' }, 'body_unreadable'],
    ])('%s', async (_, body, headers, reason) => {
      expect(await post(body, headers)).toEqual({ code: 'invalid_request', reason });
    });

    it('a missing content type', async () => {
      const { client, answer } = open('Content-Length: 2');
      client.write('{}');
      await waitFor(() => answer() !== '', { what: 'the first answer' });
      client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
      await waitFor(() => outcomes.length === 2, { what: 'the second answer' });

      expect(outcomes[1]).toMatchObject({ code: 'invalid_request', reason: 'body_not_json' });
    });

    it('a body whose sender disconnects half-way', async () => {
      const { client } = open('Content-Length: 500');
      client.write('{"a":', () => client.destroy());

      await waitFor(() => outcomes.length > 0, { what: 'the reader to give up' });
      expect(outcomes).toMatchObject([{ code: 'invalid_request', reason: 'body_unreadable' }]);
    });
  });

  it('does not block other work of the process while a large body is read', async () => {
    const order: string[] = [];
    const readBody = createJsonBodyReader({
      maxBytes,
      parse: (text) => {
        order.push('parsed');
        return text.length;
      },
    });
    const app = express();
    app.post('/', async (req, res) => {
      req.once('end', () => setImmediate(() => order.push('other work')));
      res.json(await readBody(req, res));
    });
    const other = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
    const body = `"${'x'.repeat(maxBytes / 2)}"`;
    const answer = await fetch(other.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const length: unknown = await answer.json();
    await other.stop();

    expect({ order, length }).toEqual({ order: ['other work', 'parsed'], length: body.length });
  });

  it('does not keep the body in the cause of a failure', async () => {
    await post('{"password":"hunter2"');

    const [error] = outcomes as [Error];
    expect(error.cause).toBeUndefined();
  });

  describe('refuses with payload_too_large', () => {
    const refusal = { code: 'payload_too_large', reason: 'body_too_large' };

    it('a body one byte over the limit', async () => {
      expect(await post(`"${'x'.repeat(maxBytes - 1)}"`)).toEqual(refusal);
    });

    it('no body at the limit', async () => {
      await post(`"${'x'.repeat(maxBytes - 2)}"`);

      expect(outcomes).toEqual(['x'.repeat(maxBytes - 2)]);
    });

    it('a declared length over the limit, before anything was sent', async () => {
      const { answer } = open(`Content-Length: ${maxBytes + 1}`);

      await waitFor(() => answer().includes('body_too_large'), { what: 'the refusal' });
    });

    it('a chunked body as soon as it passes the limit, not when it ends', async () => {
      const { client, answer } = open('Transfer-Encoding: chunked');
      const chunk = ' '.repeat(maxBytes / 2);
      for (let sent = 0; sent < 3; sent++) client.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);

      await waitFor(() => answer().includes('body_too_large'), { what: 'the refusal' });
    });

    it('a small body that decompresses to a large one', async () => {
      const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
      expect(bomb.length).toBeLessThan(maxBytes);

      expect(await post(bomb, { 'content-encoding': 'gzip' })).toEqual(refusal);
    });
  });
});
