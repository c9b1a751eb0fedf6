import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { assertNoFieldIgnored } from './input-part';
import { createThing, readThing, startThing } from './testing/things';
import { post, useBoundServer } from './testing/use-bound-server';

describe('createBinder', () => {
  const bound = useBoundServer();
  const { serve, call } = bound;

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
    ])('names the invalid value: %s', async (_, path, init, paths) => {
      const { status, body } = await call(path, init);

      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'invalid_request',
        reason: 'request_invalid',
        details: { problems: paths.map((path) => ({ path, message: expect.any(String) as string })) },
        message: expect.stringContaining(paths[0] ?? '') as string,
      });
    });

    it('reports that a body is missing', async () => {
      expect(await call('/things', { method: 'POST' })).toMatchObject({
        status: 400,
        body: { reason: 'body_missing' },
      });
    });
  });

  it('limits the repeated names that a caller chose', async () => {
    const strict = endpoint({ ...createThing, body: z.strictObject({ name: z.string() }) });
    await serve((bind) => bind(strict, () => ({ name: 'a' })));

    const { status, body } = await call('/things', post(JSON.stringify({ name: 'a', ['k'.repeat(900)]: 1 })));

    expect(status).toBe(400);
    expect(JSON.stringify(body).length).toBeLessThan(800);
  });

  it('names fields that the operation does not have, at every depth, where they are refused', () => {
    const item = z.object({ id: z.string() });
    const schema = z.object({
      name: z.string().default('x'),
      items: z.array(item),
      any: z.record(z.string(), z.json()),
    });
    const known = { items: [{ id: 'a' }], any: { whatever: { is: 'here' } } };
    const unknown = { ...known, until: 1, items: [{ id: 'a' }, { id: 'b', only: true }] };
    const check = (body: object) => assertNoFieldIgnored(body, schema.parse(body));

    expect(() => check(known)).not.toThrow();
    expect(() => check(unknown)).toThrow(/ body\.items\.1\.only: .* body\.until: /);
  });

  describe('an optional body', () => {
    beforeEach(() => serve((bind) => bind(startThing, ({ input }) => ({ queue: input.body.queue }))));

    it('is the default of the schema when it is omitted', async () => {
      expect(await call('/things/a/start', { method: 'POST' })).toEqual({ status: 200, body: { queue: 'default' } });
    });

    it('is read when it is present', async () => {
      expect(await call('/things/a/start', post('{"queue":"q"}'))).toEqual({ status: 200, body: { queue: 'q' } });
    });

    it('is checked when it is present', async () => {
      expect(await call('/things/a/start', post('{"queue":5}'))).toMatchObject({ status: 400 });
    });
  });
});
