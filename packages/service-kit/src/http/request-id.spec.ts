import express from 'express';
import { listenHttp, type HttpServer } from './http-server';
import { getRequestId, requestIds } from './request-id';

describe('requestIds', () => {
  let server: HttpServer;

  beforeEach(async () => {
    const app = express();
    app.get('/before', (req, res) => {
      res.json(getRequestId(req));
    });
    app.use(requestIds());
    app.get('/', (req, res) => {
      res.json(getRequestId(req));
    });
    server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
  });

  afterEach(() => server.stop());

  it.each(['a', 'x'.repeat(64), '0b5c.7_f-1'])('takes over the id %s and sends it back', async (id) => {
    const response = await fetch(server.url, { headers: { 'x-request-id': id } });

    expect(response.headers.get('x-request-id')).toBe(id);
    expect(await response.json()).toBe(id);
  });

  it.each(['x'.repeat(65), 'a b', '<script>', 'ä'])('replaces the id %s', async (id) => {
    const response = await fetch(server.url, { headers: { 'x-request-id': id } });

    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('generates an id for every request without one', async () => {
    const [first, second] = await Promise.all([fetch(server.url), fetch(server.url)]);

    expect(await first.json()).not.toBe(await second.json());
  });

  it('is the empty string if the middleware did not run', async () => {
    const response = await fetch(`${server.url}/before`);

    expect(await response.json()).toBe('');
  });
});
