import { endpoint, type Access, type ServerEvent } from '@weir/http-contract';
import { waitFor } from '@weir/test-kit';
import express from 'express';
import { z } from 'zod';
import { createBinder, type BindEndpoint } from './bind-endpoint';
import { listenHttp, type HttpServer } from '../http/http-server';
import { createJsonBodyReader } from './json-body';

const base = { method: 'GET', operationId: 'x', tag: 'things', summary: 'X.', access: 'public', errors: {} } as const;
const success = { status: 200, description: 'The thing.' } as const;

let server: HttpServer | undefined;
afterEach(() => server?.stop());

async function serve(bindAll: (bind: BindEndpoint<string>) => void): Promise<string> {
  const app = express();
  const router = express.Router();
  // The principal of a login is what its body says.
  const guard = ({ body }: express.Request, access: Access): Promise<string> =>
    Promise.resolve(access === 'login' ? (body as { readonly name: string }).name : 'anonymous');
  bindAll(
    createBinder({
      router,
      guard,
      readBody: createJsonBodyReader({ maxBytes: 1000 }),
      openRecord: () => ({ given: {} }),
    }),
  );
  app.use(router);
  server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0 });
  return server.url;
}

/** Decompresses the body. */
async function fetched(url: string, accepted: string): Promise<{ readonly headers: Headers; readonly body: Buffer }> {
  const response = await fetch(url, { headers: { 'accept-encoding': accepted } });
  return { headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

async function* listChanges(): AsyncGenerator<ServerEvent> {
  yield await Promise.resolve({ event: 'run', id: '1', data: { status: 'running' } });
  yield { data: 'two\nlines' };
}

describe('an endpoint that answers with', () => {
  it('text sends it with the declared type, and 304 to a caller that already has it', async () => {
    const content = { kind: 'text', type: 'application/schema+json; charset=utf-8' } as const;
    const schema = endpoint({ ...base, path: '/schema', success: { ...success, content, cacheSeconds: 60 } });
    const url = await serve((bind) => bind(schema, () => '{"a":1}'));
    const response = await fetch(`${url}/schema`);
    const etag = response.headers.get('etag') ?? '';

    expect(await response.text()).toBe('{"a":1}');
    expect(response.headers.get('content-type')).toBe(content.type);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(
      (await fetch(`${url}/schema`, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status,
    ).toBe(304);
  });

  it('JSON or bytes sends what the handler returns', async () => {
    const either = endpoint({
      ...base,
      path: '/tensors/{form}',
      params: z.object({ form: z.enum(['json', 'bytes']) }),
      success: {
        ...success,
        schema: z.object({ size: z.int() }),
        content: { kind: 'bytes', type: 'application/x-rows' },
      },
    });
    const url = await serve((bind) =>
      bind(either, ({ input }) => (input.params.form === 'bytes' ? Uint8Array.of(1, 2) : { size: 2 })),
    );
    const bytes = await fetch(`${url}/tensors/bytes`);

    expect(bytes.headers.get('content-type')).toBe('application/x-rows');
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(Uint8Array.of(1, 2));
    expect(await (await fetch(`${url}/tensors/json`)).json()).toEqual({ size: 2 });
  });

  it('what may be compressed sends it with zstd to a caller that names it, and as it is to others', async () => {
    const rows = endpoint({
      ...base,
      path: '/rows/{form}',
      params: z.object({ form: z.enum(['json', 'bytes']) }),
      success: {
        ...success,
        schema: z.object({ text: z.string() }),
        content: { kind: 'bytes', type: 'application/x-rows' },
        isCompressed: true,
      },
    });
    const bytes = new Uint8Array(10_000).fill(7);
    const text = 'x'.repeat(10_000);
    const url = await serve((bind) => bind(rows, ({ input }) => (input.params.form === 'bytes' ? bytes : { text })));
    const seen = async (form: string, accepted: string): Promise<readonly unknown[]> => {
      const { headers, ...response } = await fetched(`${url}/rows/${form}`, accepted);
      const isWhole =
        form === 'bytes' ? response.body.equals(bytes) : response.body.toString() === JSON.stringify({ text });
      return [headers.get('content-encoding'), Number(headers.get('content-length')) < 1_000, isWhole];
    };

    for (const form of ['json', 'bytes']) {
      expect(await seen(form, 'gzip, zstd')).toEqual(['zstd', true, true]);
      for (const other of ['gzip, deflate', 'zstd;q=0', 'identity']) {
        expect(await seen(form, other)).toEqual([null, false, true]);
      }
    }
  });

  it('events sends each without delay, and ends with the last', async () => {
    const changes = endpoint({ ...base, path: '/changes', success: { ...success, content: { kind: 'events' } } });
    const url = await serve((bind) => bind(changes, () => listChanges()));
    const response = await fetch(`${url}/changes`);

    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toBe('event: run\nid: 1\ndata: {"status":"running"}\n\ndata: "two\\nlines"\n\n');
  });
});

describe('an endpoint of the access login', () => {
  it('parses its body before the guard sees it', async () => {
    const login = endpoint({
      ...base,
      method: 'POST',
      path: '/login',
      access: 'login',
      body: z.object({ name: z.string().trim() }),
      success: { ...success, schema: z.object({ name: z.string() }) },
    });
    const url = await serve((bind) => bind(login, ({ principal }) => ({ name: principal })));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/login`, { method: 'POST', headers, body: '{"name":" ada "}' });

    expect(await response.json()).toEqual({ name: 'ada' });
  });
});

describe('onSent', () => {
  it('calls its listener once the answer was sent completely', async () => {
    const read = endpoint({ ...base, path: '/read', success: { status: 204, description: 'Done.' } });
    let isSent = false;
    const url = await serve((bind) =>
      bind(read, ({ onSent }) =>
        onSent(() => {
          isSent = true;
        }),
      ),
    );
    await fetch(`${url}/read`);

    await waitFor(() => isSent, { what: 'the listener to be called' });
    expect(isSent).toBe(true);
  });
});
