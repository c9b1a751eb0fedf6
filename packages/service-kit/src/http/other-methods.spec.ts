import { createRecordingLogger } from '@weir/test-kit';
import express, { Router } from 'express';
import { errorHandler, unknownRoute } from './error-handler';
import { listenHttp, type HttpServer } from './http-server';
import { refuseOtherMethods } from './other-methods';

let server: HttpServer;
beforeAll(async () => {
  const app = express();
  const router = Router();
  router.get('/things/:thingId', (_req, res) => void res.json('read'));
  router.put('/things/:thingId', (_req, res) => void res.json('changed'));
  refuseOtherMethods(router, [
    { method: 'PUT', path: '/things/{thingId}' },
    { method: 'GET', path: '/things/{thingId}' },
  ]);
  app.use(router);
  app.use(unknownRoute());
  app.use(errorHandler({ logger: createRecordingLogger(), render: ({ code }) => ({ code }), challenge: 'Bearer' }));
  server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
});
afterAll(() => server.stop());

describe('refuseOtherMethods', () => {
  it.each(['GET', 'PUT', 'HEAD'])('leaves %s to its route', async (method) => {
    expect((await fetch(`${server.url}/things/1`, { method })).status).toBe(200);
  });

  it.each(['POST', 'DELETE', 'PATCH'])('answers %s with 405 and the existing methods', async (method) => {
    const answer = await fetch(`${server.url}/things/1`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT']);
    expect(await answer.json()).toEqual({ code: 'method_not_allowed' });
  });

  it('leaves other paths unknown', async () => {
    expect((await fetch(`${server.url}/things`, { method: 'POST' })).status).toBe(404);
  });
});
