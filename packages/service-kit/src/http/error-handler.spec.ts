import { AppError, errorCodes, type ErrorCode } from '@weir/foundation';
import { createRecordingLogger, type RecordingLogger } from '@weir/test-kit';
import express, { type RequestHandler } from 'express';
import { errorHandler, unknownRoute } from './error-handler';
import { listenHttp, type HttpServer } from './http-server';
import { requestIds } from './request-id';

const expectedStatuses: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  wait_timeout: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  rate_limited: 429,
  internal: 500,
  not_implemented: 501,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
};

describe('errorHandler', () => {
  let server: HttpServer;
  let logger: RecordingLogger;
  let handler: RequestHandler;

  beforeEach(async () => {
    logger = createRecordingLogger();
    const app = express();
    app.use(requestIds());
    app.get('/fail/:name', (req, res, next) => handler(req, res, next));
    app.use(unknownRoute());
    app.use(
      errorHandler({
        logger,
        challenge: 'Bearer realm="weir"',
        render: ({ code, message, reason }, requestId) => ({ error: { code, message, reason, requestId } }),
      }),
    );
    server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
  });

  afterEach(() => server.stop());

  const fail = (error: unknown): Promise<Response> => {
    handler = (_req, _res, next) => next(error);
    return fetch(`${server.url}/fail/x`, { headers: { 'x-request-id': 'r-1' } });
  };

  it.each(errorCodes.map((code) => [code, expectedStatuses[code]] as const))(
    'answers %s with %d',
    async (code, status) => {
      const response = await fail(new AppError(code, 'It failed.', { reason: 'because' }));

      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        error: { code, message: 'It failed.', reason: 'because', requestId: 'r-1' },
      });
    },
  );

  describe('an error other than an AppError', () => {
    it.each([
      ['an error', new Error('password=hunter2')],
      ['an error of a library with a status', Object.assign(new Error('password=hunter2'), { status: 400 })],
      ['a thrown text', 'password=hunter2'],
    ])('is answered as internal without its message: %s', async (_, thrown) => {
      const response = await fail(thrown);
      const text = await response.text();

      expect(response.status).toBe(500);
      expect(text).not.toContain('hunter2');
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal', requestId: 'r-1' } });
    });

    it('is logged once, as it was thrown', async () => {
      const error = new Error('disk full');
      await fail(error);

      expect(logger.entries).toEqual([
        { level: 'error', message: 'request failed', fields: { requestId: 'r-1', method: 'GET', error } },
      ]);
    });
  });

  it.each(['upstream_failed', 'upstream_timeout', 'unavailable'] as const)('warns of %s', async (code) => {
    await fail(new AppError(code, 'x'));

    expect(logger.messages('warn')).toEqual(['request failed']);
  });

  it.each(['invalid_request', 'unauthenticated', 'not_found', 'rate_limited'] as const)(
    'logs nothing for %s',
    async (code) => {
      await fail(new AppError(code, 'x'));

      expect(logger.entries).toEqual([]);
    },
  );

  it.each([
    [2.1, '3'],
    [0, '1'],
    [Number.NaN, null],
    ['soon', null],
    [undefined, null],
  ])('turns retryAfterSeconds %p into Retry-After %p', async (retryAfterSeconds, header) => {
    const response = await fail(new AppError('rate_limited', 'x', { details: { retryAfterSeconds } }));

    expect(response.headers.get('retry-after')).toBe(header);
  });

  it('sends the challenge with a 401', async () => {
    const response = await fail(new AppError('unauthenticated', 'x'));

    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="weir"');
  });

  it('leaves a challenge of its own to an operation', async () => {
    handler = (_req, res, next) => {
      res.set('www-authenticate', 'Bearer scope="read"');
      next(new AppError('unauthenticated', 'x'));
    };
    const response = await fetch(`${server.url}/fail/x`);

    expect(response.headers.get('www-authenticate')).toBe('Bearer scope="read"');
  });

  it('sends no challenge with a 403', async () => {
    const response = await fail(new AppError('forbidden', 'x'));

    expect(response.headers.get('www-authenticate')).toBeNull();
  });

  it('answers a broken percent-encoding with 400', async () => {
    const response = await fetch(`${server.url}/fail/%zz`);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', reason: 'address_invalid' } });
    expect(logger.entries).toEqual([]);
  });

  it('closes the connection when half of an answer was sent', async () => {
    handler = async (_req, res) => {
      await new Promise<void>((resolve) => res.write('{"half":', () => resolve()));
      throw new Error('boom');
    };
    const response = await fetch(`${server.url}/fail/x`);

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(logger.messages()).toEqual(['request failed']);
  });

  it('does not change an answer that was sent before the failure', async () => {
    const large = Buffer.alloc(20_000_000, 'x');
    handler = (_req, res) => {
      res.end(large);
      throw new Error('boom');
    };
    const response = await fetch(`${server.url}/fail/x`);

    expect((await response.arrayBuffer()).byteLength).toBe(large.length);
    expect(logger.messages('error')).toEqual(['request failed']);
  });
});

describe('unknownRoute', () => {
  it('answers 404 in the words of the renderer, naming the method and not the address', async () => {
    const app = express();
    app.use(unknownRoute());
    app.use(
      errorHandler({
        logger: createRecordingLogger(),
        challenge: 'Bearer',
        render: ({ reason, message }) => ({ reason, message }),
      }),
    );
    const server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
    const response = await fetch(`${server.url}/nowhere?token=abc`, { method: 'PUT' });
    const body: unknown = await response.json();
    await server.stop();

    expect(response.status).toBe(404);
    expect(body).toEqual({ reason: 'route_not_found', message: 'There is no PUT operation at this address.' });
  });
});
