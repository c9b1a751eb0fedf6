import { AppError } from '@weir/foundation';
import { createThing, deleteThing } from './testing/things';
import { post, useBoundServer } from './testing/use-bound-server';

describe('createBinder', () => {
  const bound = useBoundServer();
  const { serve, call } = bound;

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
      expect(bound.logger.messages('error')).toEqual(['request failed']);
    });

    it('has no body if the endpoint has no schema', async () => {
      await serve((bind) => bind(deleteThing, () => undefined));

      expect(await call('/things/a', { method: 'DELETE' })).toEqual({ status: 204, body: undefined });
    });

    it('is the failure when the handler rejects', async () => {
      await serve((bind) => bind(createThing, () => Promise.reject(new AppError('conflict', 'Taken.'))));

      expect(await call('/things', post('{"name":"a"}'))).toMatchObject({ status: 409, body: { message: 'Taken.' } });
    });
  });
});
