import { connect } from 'node:net';
import { AppError } from '@weir/foundation';
import { endpoint } from '@weir/http-contract';
import { createRecordingLogger, waitFor, type RecordingLogger } from '@weir/test-kit';
import express, { type Express } from 'express';
import { accessLog } from './access-log';
import { createBinder, type Handler } from '../endpoint/bind-endpoint';
import { errorHandler, unknownRoute } from './error-handler';
import { listenHttp, type HttpServer } from './http-server';
import { createJsonBodyReader } from '../endpoint/json-body';
import { addRequestDetails } from './request-details';
import { requestIds } from './request-id';

const readThing = endpoint({
  method: 'GET',
  path: '/things/{id}',
  operationId: 'x',
  tag: 'things',
  summary: 'X.',
  access: 'authenticated',
  success: { status: 204, description: 'Nothing.' },
  errors: {},
});

interface Caller {
  readonly id?: string;
}

describe('accessLog', () => {
  let server: HttpServer;
  let logger: RecordingLogger;
  let caller: Caller;
  let handler: Handler<typeof readThing, Caller>;

  beforeEach(async () => {
    logger = createRecordingLogger();
    caller = { id: 'user-1' };
    handler = () => undefined;
    let time = 100;
    const app = express();
    app.use(requestIds());
    app.use(
      accessLog(logger, () => {
        time += 12.4;
        return time;
      }),
    );
    mountThings(app);
    app.use(unknownRoute());
    app.use(errorHandler({ logger, challenge: 'Bearer', render: ({ code }) => ({ code }) }));
    server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
  });

  afterEach(() => server.stop());

  function mountThings(app: Express): void {
    const inner = express.Router();
    const bind = createBinder({
      router: inner,
      guard: (req) =>
        req.get('authorization') === 'bad'
          ? Promise.reject(new AppError('unauthenticated', 'Log in.'))
          : Promise.resolve(caller),
      readBody: createJsonBodyReader({ maxBytes: 100 }),
      getPrincipalId: ({ id }) => id,
      openRecord: () => ({ given: {} }),
    });
    bind(readThing, (context) => handler(context));
    inner.get('/stream', (req, res) => {
      addRequestDetails(req, { route: `${req.baseUrl}/stream` });
      res.write('half');
      throw new Error('boom');
    });
    inner.get('/beats', (req, res) => {
      addRequestDetails(req, { route: '/beats', isRoutine: true });
      res.sendStatus(req.query.status === undefined ? 204 : 409);
    });
    const outer = express.Router();
    outer.use('/v1', inner);
    app.use('/api', outer);
  }

  async function line(): Promise<unknown> {
    const entry = await waitFor(() => logger.entries.find(({ message }) => message === 'request'), {
      what: 'the line',
    });
    return entry.fields;
  }

  it('writes one line with the pattern of the route below its routers, not the address', async () => {
    await fetch(`${server.url}/api/v1/things/secret-id?token=abc`, { headers: { 'x-request-id': 'r-1' } });

    expect(await line()).toEqual({
      method: 'GET',
      route: '/api/v1/things/{id}',
      status: 204,
      durationMs: 12,
      requestId: 'r-1',
      principalId: 'user-1',
    });
    expect(logger.messages()).toEqual(['request']);
  });

  it('names the whole pattern when the handler fails', async () => {
    handler = () => Promise.reject(new AppError('conflict', 'Taken.'));
    await fetch(`${server.url}/api/v1/things/a`);

    expect(await line()).toMatchObject({ route: '/api/v1/things/{id}', status: 409, principalId: 'user-1' });
  });

  it('names the pattern and no principal when access is refused', async () => {
    await fetch(`${server.url}/api/v1/things/a`, { headers: { authorization: 'bad' } });

    const fields = await line();
    expect(fields).toMatchObject({ route: '/api/v1/things/{id}', status: 401 });
    expect(fields).not.toHaveProperty('principalId');
  });

  it('names no principal that has no id', async () => {
    caller = {};
    await fetch(`${server.url}/api/v1/things/a`);

    expect(await line()).not.toHaveProperty('principalId');
  });

  it('logs what a program repeats all the time for development only, unless it fails', async () => {
    const levelOf = async (address: string) => {
      const before = logger.entries.length;
      await fetch(`${server.url}/api/v1/${address}`);
      return (await waitFor(() => logger.entries[before], { what: 'the line' })).level;
    };

    expect(await levelOf('beats')).toBe('debug');
    expect(await levelOf('beats?status=409')).toBe('info');
  });

  it('calls the route unknown when no endpoint took the request', async () => {
    await fetch(`${server.url}/api/v1/nowhere/secret`);

    expect(await line()).toMatchObject({ route: 'unknown', status: 404 });
  });

  it('logs 499 when the client disconnects before the answer', async () => {
    let isReached = false;
    handler = ({ signal }) => {
      isReached = true;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    const client = connect(server.port, '127.0.0.1');
    client.write('GET /api/v1/things/a HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitFor(() => isReached, { what: 'the request to arrive' });
    client.destroy();

    expect(await line()).toMatchObject({ route: '/api/v1/things/{id}', status: 499 });
    await server.stop();
    expect(logger.messages()).toEqual(['request']);
  });

  it('logs 500 when the answer was cut off by a failure', async () => {
    const response = await fetch(`${server.url}/api/v1/stream`);
    await response.text().catch(() => undefined);

    expect(await line()).toMatchObject({ route: '/api/v1/stream', status: 500 });
  });
});
