import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ByteRange } from '@weir/http-contract';
import express from 'express';
import { sendFile } from './send-file';

let server: Server;
let url: string;
/** The number of listeners for the end of the connection that were added while a file was sent. */
let addedListeners: number;

beforeAll(async () => {
  const app = express();
  app.get('/:name', async (req, res) => {
    const content = Buffer.from('<b>x</b>');
    const listeners = res.listenerCount('close');
    const read = function* ({ start, end }: ByteRange) {
      addedListeners = res.listenerCount('close') - listeners;
      yield content.subarray(start, end + 1);
    };
    const type = req.params.name.endsWith('.log') ? 'text/plain; charset=utf-8' : 'application/octet-stream';
    await sendFile(
      req,
      res,
      { name: req.params.name, size: content.length, read: (range) => Readable.from(read(range)) },
      type,
    );
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe('sendFile', () => {
  it('sends every file as an attachment, not as a page', async () => {
    const response = await fetch(`${url}/page.html`);

    expect(await response.text()).toBe('<b>x</b>');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '8',
      'content-disposition': 'attachment; filename=page.html',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it('sends a file of a declared type as an attachment, too', async () => {
    const { headers } = await fetch(`${url}/run.log`);

    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename=run.log',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it('keeps names of any letters out of the syntax of the header', async () => {
    const { headers } = await fetch(`${url}/${encodeURIComponent('größe";\r\nx: y.txt')}`);

    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''gr%C3%B6%C3%9Fe%22%3B%0D%0Ax%3A%20y.txt");
    expect(headers.has('x')).toBe(false);
  });

  it('adds few listeners to the answer, because Node reports more than ten as a leak', async () => {
    await (await fetch(`${url}/run.log`)).text();

    expect(addedListeners).toBeLessThanOrEqual(1);
  });

  it.each([
    ['a range', 'bytes=3-4', 206, 'x<'],
    ['the end of it', 'bytes=-4', 206, '</b>'],
    ['a range behind the end', 'bytes=9-', 416, ''],
    ['several ranges, of which it sends the whole', 'bytes=0-1,3-4', 200, '<b>x</b>'],
  ])('answers a request for %s', async (_, range, status, text) => {
    const response = await fetch(`${url}/page.html`, { headers: { range } });

    expect(response.status).toBe(status);
    expect(await response.text()).toBe(text);
  });
});
