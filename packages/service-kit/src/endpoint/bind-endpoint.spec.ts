import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { AppError } from '@weir/errors';
import { endpoint } from '@weir/http-contract';
import { createRecordingLogger, waitFor, type RecordingLogger } from '@weir/test-kit';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import { createBinder, type AccessGuard, type BindEndpoint } from './bind-endpoint';
import { errorHandler } from '../http/error-handler';
import { listenHttp, type HttpServer } from '../http/http-server';
import { createJsonBodyReader } from './json-body';
import { requestIds } from '../http/request-id';

interface Caller {
  readonly name: string;
}

const base = { operationId: 'x', tag: 'things', summary: 'X.', errors: {} } as const;
const Thing = z.object({ name: z.string() });

const readThing = endpoint({
  ...base,
  method: 'GET',
  path: '/things/{id}',
  access: ['admin'],
  params: z.object({ id: z.string().min(2) }),
  query: z.object({ page: z.coerce.number().int().default(1), label: z.union([z.string(), z.array(z.string())]) }),
  success: { status: 200, description: 'The thing.', schema: Thing },
});
const createThing = endpoint({
  ...base,
  method: 'POST',
  path: '/things',
  access: 'authenticated',
  body: z.object({ name: z.string(), size: z.object({ width: z.number() }).optional() }),
  success: { status: 201, description: 'Created.', schema: Thing },
});
const startThing = endpoint({
  ...base,
  method: 'POST',
  path: '/things/{id}/start',
  access: 'public',
  params: z.object({ id: z.string() }),
  body: z.object({ queue: z.string() }).default({ queue: 'default' }),
  bodyRequired: false,
  success: { status: 200, description: 'Started.', schema: z.object({ queue: z.string() }) },
});
const deleteThing = endpoint({
  ...base,
  method: 'DELETE',
  path: '/things/{id}',
  access: 'public',
  success: { status: 204, description: 'Gone.' },
});

const admin: AccessGuard<Caller> = () => Promise.resolve({ name: 'ada' });
const nobody: AccessGuard<Caller> = () => Promise.reject(new AppError('unauthenticated', 'Log in.'));

describe('createBinder', () => {
  let server: HttpServer;
  let logger: RecordingLogger;

  async function serve(
    bindAll: (bind: BindEndpoint<Caller>) => void,
    guard = admin,
    ...before: RequestHandler[]
  ): Promise<void> {
    logger = createRecordingLogger();
    const router = express.Router();
    bindAll(createBinder({ router, guard, readBody: createJsonBodyReader({ maxBytes: 1000 }) }));
    const app = express();
    app.use(requestIds());
    app.use('/api', ...before, router);
    app.use(
      errorHandler({
        logger,
        challenge: 'Bearer',
        render: ({ code, reason, message, details }, requestId) => ({ code, reason, message, details, requestId }),
      }),
    );
    server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
  }

  async function call(path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${server.url}/api${path}`, { ...init, signal: AbortSignal.timeout(5000) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  const post = (body: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

  afterEach(() => server.stop());

  it('hands parsed path, query and body, principal, request id and address to the handler', async () => {
    let seen: unknown;
    await serve((bind) =>
      bind(readThing, ({ input, principal, requestId, clientAddress }) => {
        seen = { input, principal, requestId, clientAddress };
        return { name: 'a' };
      }),
    );

    await call('/things/a%20b?label=x&label=y', { headers: { 'x-request-id': 'r-1' } });

    expect(seen).toEqual({
      input: { params: { id: 'a b' }, query: { page: 1, label: ['x', 'y'] }, body: undefined },
      principal: { name: 'ada' },
      requestId: 'r-1',
      clientAddress: '127.0.0.1',
    });
  });

  it('hands over If-Match and sends the entity tag where the endpoint has revisions', async () => {
    const seen: unknown[] = [];
    await serve((bind) => {
      bind({ ...createThing, hasRevisions: true } as const, ({ ifMatch, setEntityTag }) => {
        seen.push(ifMatch);
        setEntityTag('"2"');
        return { name: 'a' };
      });
      bind(deleteThing, ({ ifMatch }) => void seen.push(ifMatch));
    });
    const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
    const answer = await fetch(`${server.url}/api/things`, { method: 'POST', headers, body: '{"name":"a"}' });
    await fetch(`${server.url}/api/things/ab`, { method: 'DELETE', headers });

    expect(answer.headers.get('etag')).toBe('"2"');
    expect(seen).toEqual(['"1"', undefined]);
  });

  it('tells the guard what access the endpoint asks for', async () => {
    const asked: unknown[] = [];
    await serve(
      (bind) => {
        bind(readThing, () => ({ name: 'a' }));
        bind(deleteThing, () => undefined);
      },
      (_req, access) => {
        asked.push(access);
        return Promise.resolve({ name: 'ada' });
      },
    );

    await call('/things/ab?label=x');
    await call('/things/ab', { method: 'DELETE' });

    expect(asked).toEqual([['admin'], 'public']);
  });

  describe('order', () => {
    it('settles access before it parses', async () => {
      await serve((bind) => bind(readThing, () => ({ name: 'a' })), nobody);

      expect(await call('/things/a')).toMatchObject({ status: 401 });
    });

    it('settles access before it reads the body', async () => {
      await serve((bind) => bind(createThing, () => ({ name: 'a' })), nobody);
      const client = connect(server.port, '127.0.0.1');
      let answer = '';
      client.on('data', (chunk) => (answer += chunk.toString()));

      client.write(
        'POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
      );

      await waitFor(() => answer.startsWith('HTTP/1.1 401'), { what: 'the answer to a request whose body never ends' });
      client.destroy();
    });

    it('does not call the handler when the input is not valid', async () => {
      const calls: string[] = [];
      await serve((bind) =>
        bind(createThing, () => {
          calls.push('handler');
          return { name: 'a' };
        }),
      );

      await call('/things', post('{"name":1}'));

      expect(calls).toEqual([]);
    });
  });

  describe('400', () => {
    beforeEach(() =>
      serve((bind) => {
        bind(readThing, () => ({ name: 'a' }));
        bind(createThing, () => ({ name: 'a' }));
      }),
    );

    it.each([
      ['a path parameter', '/things/a?label=x', {}, ['path.id']],
      ['a query parameter', '/things/ab?label=x&page=zero', {}, ['query.page']],
      ['a missing query parameter', '/things/ab', {}, ['query.label']],
      ['body fields', '/things', post('{"name":1,"size":{"width":"w"}}'), ['body.name', 'body.size.width']],
      ['a body of another kind', '/things', post('null'), ['body']],
    ])('names what is wrong: %s', async (_, path, init, paths) => {
      const { status, body } = await call(path, init);

      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'invalid_request',
        reason: 'request_invalid',
        details: { problems: paths.map((path) => ({ path, message: expect.any(String) as string })) },
        message: expect.stringContaining(paths[0] ?? '') as string,
      });
    });

    it('says that a body is missing', async () => {
      expect(await call('/things', { method: 'POST' })).toMatchObject({
        status: 400,
        body: { reason: 'body_missing' },
      });
    });
  });

  it('bounds what it repeats of the names that a caller chose', async () => {
    const strict = endpoint({ ...createThing, body: z.strictObject({ name: z.string() }) });
    await serve((bind) => bind(strict, () => ({ name: 'a' })));

    const { status, body } = await call('/things', post(JSON.stringify({ name: 'a', ['k'.repeat(900)]: 1 })));

    expect(status).toBe(400);
    expect(JSON.stringify(body).length).toBeLessThan(800);
  });

  describe('an optional body', () => {
    beforeEach(() => serve((bind) => bind(startThing, ({ input }) => ({ queue: input.body.queue }))));

    it('takes the default of the schema when it is left out', async () => {
      expect(await call('/things/a/start', { method: 'POST' })).toEqual({ status: 200, body: { queue: 'default' } });
    });

    it('is read when it is there', async () => {
      expect(await call('/things/a/start', post('{"queue":"q"}'))).toEqual({ status: 200, body: { queue: 'q' } });
    });

    it('is checked when it is there', async () => {
      expect(await call('/things/a/start', post('{"queue":5}'))).toMatchObject({ status: 400 });
    });
  });

  describe('the answer', () => {
    it('is cut down to the schema', async () => {
      const row = { name: 'a', passwordHash: 'hunter2' };
      await serve((bind) => bind(createThing, () => row));

      expect(await call('/things', post('{"name":"a"}'))).toEqual({ status: 201, body: { name: 'a' } });
    });

    it('is 500 and logged when it violates the schema', async () => {
      const broken = { name: 5 } as unknown as { name: string };
      await serve((bind) => bind(createThing, () => broken));

      expect(await call('/things', post('{"name":"a"}'))).toMatchObject({
        status: 500,
        body: { code: 'internal', reason: 'answer_invalid', message: 'The response did not match the contract.' },
      });
      expect(logger.messages('error')).toEqual(['request failed']);
    });

    it('has no body where the endpoint has no schema', async () => {
      await serve((bind) => bind(deleteThing, () => undefined));

      expect(await call('/things/a', { method: 'DELETE' })).toEqual({ status: 204, body: undefined });
    });

    it('is the failure when the handler rejects', async () => {
      await serve((bind) => bind(createThing, () => Promise.reject(new AppError('conflict', 'Taken.'))));

      expect(await call('/things', post('{"name":"a"}'))).toMatchObject({ status: 409, body: { message: 'Taken.' } });
    });
  });

  describe('the signal', () => {
    function leaveWhile(path: string, reached: () => boolean): Promise<void> {
      const client = connect(server.port, '127.0.0.1');
      client.write(`DELETE /api${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return waitFor(reached, { what: 'the request to arrive' }).then(() => {
        client.destroy();
      });
    }

    it('is aborted when the client leaves while the handler works, which is not logged as a failure', async () => {
      let signal: AbortSignal | undefined;
      let settled = false;
      await serve((bind) =>
        bind(deleteThing, async (context) => {
          signal = context.signal;
          await new Promise((_, reject) => {
            context.signal.addEventListener('abort', () => {
              settled = true;
              reject(context.signal.reason as Error);
            });
          });
        }),
      );

      await leaveWhile('/things/a', () => signal !== undefined);
      await waitFor(() => settled, { what: 'the signal' });
      await server.stop();

      expect(logger.entries).toEqual([]);
    });

    const afterClose = (req: IncomingMessage): Promise<void> =>
      new Promise((resolve) => {
        req.socket.once('close', () => setImmediate(resolve));
      });

    it.each(['in the guard', 'in a middleware before'])('is aborted already when the client left %s', async (place) => {
      const seen: boolean[] = [];
      let isReached = false;
      const waitThere = async (req: IncomingMessage): Promise<void> => {
        isReached = true;
        await afterClose(req);
      };
      const middleware: RequestHandler = async (req, _res, next) => {
        await waitThere(req);
        next();
      };
      const guard: AccessGuard<Caller> = async (req) => {
        await waitThere(req);
        return { name: 'ada' };
      };
      const inGuard = place === 'in the guard';
      await serve(
        (bind) =>
          bind(deleteThing, ({ signal }) => {
            seen.push(signal.aborted);
          }),
        inGuard ? guard : admin,
        ...(inGuard ? [] : [middleware]),
      );

      await leaveWhile('/things/a', () => isReached);
      await waitFor(() => seen.length > 0, { what: 'the handler' });

      expect(seen).toEqual([true]);
    });

    it('is not aborted when the answer was sent', async () => {
      let signal: AbortSignal | undefined;
      await serve((bind) =>
        bind(deleteThing, (context) => {
          signal = context.signal;
        }),
      );

      await call('/things/a', { method: 'DELETE' });
      await server.stop();

      expect(signal?.aborted).toBe(false);
    });
  });
});
