import { ApiError, createWorkflowClient, isApiError, type WorkflowClientOptions } from '.';
import { json, startScriptedServer, type Script, type ScriptedServer } from './testing/scripted-server';

let server: ScriptedServer;

afterEach(() => server.stop());

async function connect(script: Script, options: Partial<WorkflowClientOptions> = {}) {
  server = await startScriptedServer(script);
  return createWorkflowClient({ baseUrl: server.baseUrl, ...options });
}

const run = { name: 'a b', dagRunId: '1/2' };

describe('a call', () => {
  it('sends the parameters, the body and the current token', async () => {
    let token = 'first';
    const weir = await connect(json(200, { dagRunId: 'r' }), { token: () => token });
    token = 'second';
    await weir.POST('/dags/{fileName}/start', { params: { path: { fileName: 'a/b' } }, body: { params: 'X=1' } });
    await weir.GET('/dag-runs', { params: { query: { status: [1, 4], limit: undefined, labels: 'a&b' } } });

    expect(server.seen).toMatchObject([
      { method: 'POST', url: { pathname: '/api/v1/dags/a%2Fb/start', search: '' }, body: '{"params":"X=1"}' },
      { method: 'GET', url: { pathname: '/api/v1/dag-runs', search: '?status=1&status=4&labels=a%26b' }, body: '' },
    ]);
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer second',
      'content-type': 'application/json',
    });
  });

  it('sends no credential of its own without a token', async () => {
    const weir = await connect(json(200, { dags: [] }));
    await weir.GET('/dags');

    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    [{}, 'same-origin'],
    [{ credentials: 'include' as const }, 'include'],
  ])('with %j sends cookies to %s', async (options, expected) => {
    const asked: RequestCredentials[] = [];
    const weir = await connect(json(200, {}), {
      ...options,
      fetch: (request) => {
        asked.push(request.credentials);
        return fetch(request);
      },
    });
    await weir.GET('/dags');

    expect(asked).toEqual([expected]);
  });

  it('resolves with the body and the headers of the response', async () => {
    const weir = await connect(json(200, { spec: 'steps: []' }, { etag: '"7"' }));
    const { data, response } = await weir.GET('/dags/{fileName}/spec', { params: { path: { fileName: 'a' } } });

    expect(data).toEqual({ spec: 'steps: []' });
    expect(response.headers.get('etag')).toBe('"7"');
  });

  it('resolves without a body if the operation has none', async () => {
    const weir = await connect((response) => response.writeHead(204).end());
    const { data } = await weir.DELETE('/dag-runs/{name}/{dagRunId}', { params: { path: run } });

    expect(data).toBeUndefined();
  });

  it('reads text and bytes on request', async () => {
    const weir = await connect((response) => response.end('line 1\n'));
    const { data: text } = await weir.GET('/metrics', { parseAs: 'text' });
    const { data: bytes } = await weir.GET('/dag-runs/{name}/{dagRunId}/log/download', {
      params: { path: run },
      parseAs: 'arrayBuffer',
    });

    expect(text).toBe('line 1\n');
    expect(Buffer.from(bytes).toString()).toBe('line 1\n');
  });

  it.each(['', '.', '..'])('refuses %j as a part of the path', async (fileName) => {
    const weir = await connect(json(200, {}));

    await expect(weir.GET('/dags/{fileName}', { params: { path: { fileName } } })).rejects.toThrow('"fileName"');
    expect(server.seen).toEqual([]);
  });
});

describe('a call that fails', () => {
  it('rejects with the code, the reason and the id of the request', async () => {
    const body = { code: 'not_found', message: 'No.', reason: 'dag_not_found', details: { a: 1 }, requestId: 'q-1' };
    const weir = await connect(json(404, body, { 'x-request-id': 'q-1' }));
    const error: unknown = await weir.GET('/dags').catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(ApiError);
    expect(isApiError(error)).toBe(true);
    expect(error).toMatchObject({ status: 404, ...body });
    expect((error as ApiError).headers.get('x-request-id')).toBe('q-1');
  });

  it.each(['<h1>Bad gateway</h1>', '', 'null', '{"message":"x"}'])(
    'rejects with the status alone for the body %j',
    async (body) => {
      const weir = await connect((response) => response.writeHead(502).end(body));

      await expect(weir.GET('/dags')).rejects.toMatchObject({
        status: 502,
        message: 'The server answered 502.',
        code: undefined,
        requestId: undefined,
      });
    },
  );

  it('rejects with the reason of the signal when it is aborted', async () => {
    const stopping = new AbortController();
    const weir = await connect(() => stopping.abort(new Error('stopped')));

    await expect(weir.GET('/dags', { signal: stopping.signal })).rejects.toThrow('stopped');
  });

  it('rejects when no response begins in time', async () => {
    const weir = await connect(() => undefined, { timeoutMs: 20 });

    await expect(weir.GET('/dags')).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('rejects when the body does not end in time, if the time limit includes it', async () => {
    const weir = await connect((res) => void res.write('{'), { timeoutMs: 50, timeoutIncludesBody: true });

    await expect(weir.GET('/dags')).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('rejects with the error of fetch when there is no server', async () => {
    const weir = await connect(json(200, {}));
    await server.stop();

    await expect(weir.GET('/dags')).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed' });
  });
});

describe('isApiError', () => {
  it('is false for other errors', () => {
    expect([new Error('x'), { code: 'not_found' }, undefined].map(isApiError)).toEqual([false, false, false]);
  });
});
