import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { ApiError } from './api-error';
import { createClient } from './client';
import { endpoint } from './endpoint';

const contract = {
  createNote: endpoint({
    method: 'POST',
    path: '/folders/{folder}/notes',
    operationId: 'createNote',
    tag: 'notes',
    summary: 'Creates a note.',
    access: 'authenticated',
    params: z.object({ folder: z.string() }),
    query: z.object({ label: z.array(z.string()).optional(), draft: z.boolean().optional() }),
    body: z.object({ text: z.string() }),
    success: { status: 201, description: 'Created.', schema: z.object({ id: z.number() }) },
    errors: {},
  }),
  deleteNotes: endpoint({
    method: 'DELETE',
    path: '/notes',
    operationId: 'deleteNotes',
    tag: 'notes',
    summary: 'Deletes all notes.',
    access: 'authenticated',
    success: { status: 204, description: 'Deleted.' },
    errors: {},
  }),
};

interface Answer {
  readonly status: number;
  readonly body?: string;
}

describe('createClient', () => {
  let server: Server;
  let seen: { request: IncomingMessage; body: string }[];
  let answer: Answer;
  let baseUrl: string;

  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ request, body: Buffer.concat(chunks).toString() });
        response.writeHead(answer.status).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends path, query, body and bearer token, and returns the parsed answer', async () => {
    answer = { status: 201, body: '{"id":7,"secret":"x"}' };
    const client = createClient(contract, { baseUrl, token: () => 'abc' });

    const created = await client.createNote({
      params: { folder: 'a/b ü' },
      query: { label: ['x', 'y'], draft: true },
      body: { text: 'hello' },
    });

    expect(created).toEqual({ id: 7 });
    expect(seen[0]?.request.url).toBe('/api/folders/a%2Fb%20%C3%BC/notes?label=x&label=y&draft=true');
    expect(seen[0]?.request.headers.authorization).toBe('Bearer abc');
    expect(seen[0]?.body).toBe('{"text":"hello"}');
  });

  it('returns nothing for an answer without a body', async () => {
    answer = { status: 204 };
    await expect(createClient(contract, { baseUrl }).deleteNotes()).resolves.toBeUndefined();
  });

  it('rejects with status, code, reason and request id of an error answer', async () => {
    answer = {
      status: 409,
      body: '{"code":"already_exists","message":"Taken.","reason":"note_exists","requestId":"r1"}',
    };
    const call = createClient(contract, { baseUrl }).deleteNotes();

    await expect(call).rejects.toMatchObject({
      status: 409,
      code: 'already_exists',
      message: 'Taken.',
      reason: 'note_exists',
      requestId: 'r1',
    });
  });

  it('rejects with the status when the error answer is not JSON', async () => {
    answer = { status: 502, body: '<html>bad gateway</html>' };
    const error: unknown = await createClient(contract, { baseUrl })
      .deleteNotes()
      .catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502, code: '', message: 'The server answered 502.' });
  });

  it('rejects when the success body is not what the contract says', async () => {
    answer = { status: 201, body: '{"id":"seven"}' };
    const call = createClient(contract, { baseUrl }).createNote({ params: { folder: 'a' }, body: { text: 'x' } });

    await expect(call).rejects.toThrow(z.ZodError);
  });

  it.each(['', '.', '..'])('refuses the path parameter %p before sending', async (folder) => {
    const call = createClient(contract, { baseUrl }).createNote({ params: { folder }, body: { text: 'x' } });

    await expect(call).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  it('gives up when the answer takes longer than the time-out', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

    await expect(createClient(contract, { baseUrl: url, timeoutMs: 50 }).deleteNotes()).rejects.toThrow(/timeout/i);
    silent.closeAllConnections();
    silent.close();
  });
});
