import { connect } from 'node:net';
import { listenHttp, type HttpServer } from './http-server';

const renderClientError = ({
  code,
  reason,
  message,
}: {
  code: string;
  reason?: string | undefined;
  message: string;
}) => ({
  code,
  reason,
  message,
});
let server: HttpServer;

beforeAll(async () => {
  server = await listenHttp({
    listener: (request, response) => {
      request.resume();
      response.write('half');
    },
    host: '127.0.0.1',
    port: 0,
    headersTimeoutMs: 200,
    renderClientError,
  });
});
afterAll(() => server.stop());

/**
 * Sends the text, and `next` once a response has begun. Returns all that the server sends until it closes the
 * connection.
 */
function send(text: string, next?: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      if (received === '' && next !== undefined) socket.write(next);
      received += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
  });
}

function parse(answer: string): { status: string; headers: string; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [status = '', ...headers] = head.split('\r\n');
  return { status, headers: headers.join('\n').toLowerCase(), body: JSON.parse(body) };
}

describe('a request that is not valid HTTP', () => {
  it.each([
    [
      'a header that is too large',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['an address that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers_too_large'],
    ['something else', 'nonsense\r\n\r\n', 400, 'request_malformed'],
    ['a head that never ends', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'request_too_slow'],
  ])('with %s is answered with a body', async (_case, request, status, reason) => {
    const answer = parse(await send(request));

    expect(answer.status).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(answer.headers).toContain('content-type: application/json');
    expect(answer.headers).toContain('connection: close');
    expect(answer.body).toEqual({ code: 'invalid_request', reason, message: expect.stringMatching(/\.$/) as string });
  });

  it('cuts off an answer that has begun, and adds nothing to it', async () => {
    const received = await send('GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'nonsense\r\n\r\n');

    expect(received).toContain('half');
    expect(received).not.toContain('request_malformed');
  });
});
