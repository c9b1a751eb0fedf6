import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { createContractClient } from './create-contract-client';

const contract = {
  createNote: endpoint({
    method: 'POST',
    path: '/folders/{folder}/notes',
    operationId: 'createNote',
    tag: 'notes',
    summary: 'Creates a note.',
    access: 'authenticated',
    params: z.object({ folder: z.string() }),
    query: z.object({ label: z.array(z.string()).optional() }),
    body: z.object({ text: z.string() }),
    success: { status: 201, description: 'Created.', schema: z.object({ id: z.number() }) },
    errors: {},
  }),
};

const note = { params: { folder: 'a/b' }, query: { label: ['x', 'y'] }, body: { text: 'hello' } };

let server: Server;
let answer: { readonly status: number; readonly body: string };
let seen: string[];

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const createNote = () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return createContractClient(contract, { baseUrl, token: 'abc' }).createNote(note);
};

describe('createContractClient', () => {
  it('sends path, query and bearer token, and returns the parsed answer', async () => {
    answer = { status: 201, body: '{"id":7,"secret":"x"}' };

    expect(await createNote()).toEqual({ id: 7 });
    expect(seen).toEqual(['POST /api/folders/a%2Fb/notes?label=x&label=y Bearer abc']);
  });

  it('rejects with the status and the reason of an error answer', async () => {
    answer = { status: 409, body: '{"code":"conflict","message":"Taken.","reason":"note_exists"}' };

    await expect(createNote()).rejects.toMatchObject({ status: 409, code: 'conflict', reason: 'note_exists' });
  });

  it('rejects when the body violates the contract', async () => {
    answer = { status: 201, body: '{"id":"seven"}' };

    await expect(createNote()).rejects.toThrow(z.ZodError);
  });

  it('rejects when the status violates the contract', async () => {
    answer = { status: 200, body: '{"id":7}' };

    await expect(createNote()).rejects.toThrow('answered 200');
  });
});
