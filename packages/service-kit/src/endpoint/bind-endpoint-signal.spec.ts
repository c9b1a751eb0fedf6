import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { waitFor } from '@weir/test-kit';
import type { RequestHandler } from 'express';
import type { AccessGuard } from './bind-endpoint';
import { deleteThing } from './testing/things';
import { admin, type Caller, useBoundServer } from './testing/use-bound-server';

describe('createBinder', () => {
  const bound = useBoundServer();
  const { serve, call } = bound;

  describe('the signal', () => {
    function leaveWhile(path: string, reached: () => boolean): Promise<void> {
      const client = connect(bound.server.port, '127.0.0.1');
      client.write(`DELETE /api${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return waitFor(reached, { what: 'the request to arrive' }).then(() => {
        client.destroy();
      });
    }

    it('is aborted when the client disconnects while the handler works, which is not logged as a failure', async () => {
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
      await bound.server.stop();

      expect(bound.logger.entries).toEqual([]);
    });

    const afterClose = (req: IncomingMessage): Promise<void> =>
      new Promise((resolve) => {
        req.socket.once('close', () => setImmediate(resolve));
      });

    it.each(['in the guard', 'in a middleware before'])(
      'is already aborted when the client disconnected %s',
      async (place) => {
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
      },
    );

    it('is not aborted when the answer was sent', async () => {
      let signal: AbortSignal | undefined;
      await serve((bind) =>
        bind(deleteThing, (context) => {
          signal = context.signal;
        }),
      );

      await call('/things/a', { method: 'DELETE' });
      await bound.server.stop();

      expect(signal?.aborted).toBe(false);
    });
  });
});
