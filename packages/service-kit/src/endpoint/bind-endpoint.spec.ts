import { connect } from 'node:net';
import { waitFor } from '@weir/test-kit';
import { createThing, deleteThing, readThing } from './testing/things';
import { nobody, post, useBoundServer } from './testing/use-bound-server';

describe('createBinder', () => {
  const bound = useBoundServer();
  const { serve, call } = bound;

  it('passes parsed path, query and body, principal, request id, address and the values of the wrapper to the handler', async () => {
    let seen: unknown;
    await serve((bind) =>
      bind(readThing, ({ input, principal, requestId, clientAddress, calledAs }) => {
        seen = { input, principal, requestId, clientAddress, calledAs };
        return { name: 'a' };
      }),
    );

    await call('/things/a%20b?label=x&label=y', { headers: { 'x-request-id': 'r-1' } });

    expect(seen).toEqual({
      input: { params: { id: 'a b' }, query: { page: 1, label: ['x', 'y'] }, body: undefined },
      principal: { name: 'ada' },
      requestId: 'r-1',
      clientAddress: '127.0.0.1',
      calledAs: readThing.operationId,
    });
  });

  it('passes If-Match and sends the entity tag if the endpoint has revisions', async () => {
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
    const answer = await fetch(`${bound.server.url}/api/things`, { method: 'POST', headers, body: '{"name":"a"}' });
    await fetch(`${bound.server.url}/api/things/ab`, { method: 'DELETE', headers });

    expect(answer.headers.get('etag')).toBe('"2"');
    expect(seen).toEqual(['"1"', undefined]);
  });

  it('tells the guard what access the endpoint requires', async () => {
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
    it('checks access before it parses', async () => {
      await serve((bind) => bind(readThing, () => ({ name: 'a' })), nobody);

      expect(await call('/things/a')).toMatchObject({ status: 401 });
    });

    it('checks access before it reads the body', async () => {
      await serve((bind) => bind(createThing, () => ({ name: 'a' })), nobody);
      const client = connect(bound.server.port, '127.0.0.1');
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
});
