import { AppError } from '@weir/foundation';
import { endpoint, type ServerEvent } from '@weir/http-contract';
import { useBoundServer, type Caller } from './testing/use-bound-server';

const bound = useBoundServer();

const stream = endpoint({
  method: 'GET',
  path: '/events',
  operationId: 'stream',
  tag: 'x',
  summary: 'Streams.',
  access: 'authenticated',
  success: { status: 200, description: 'Events.', content: { kind: 'events' } },
  errors: {},
});

/** Sends an event whenever the spec says so. */
function createEvents() {
  const waiting: (() => void)[] = [];
  let isOver = false;
  return {
    send: () => waiting.shift()?.(),
    isOver: () => isOver,
    events: async function* (signal: AbortSignal): AsyncGenerator<ServerEvent> {
      signal.addEventListener('abort', () => waiting.shift()?.());
      try {
        for (let count = 1; !signal.aborted; count += 1) {
          yield { data: count };
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
      } finally {
        isOver = true;
      }
    },
  };
}

async function open(guard: () => Promise<Caller>, source: ReturnType<typeof createEvents>) {
  await bound.serve((bind) => bind(stream, ({ signal }) => source.events(signal)), guard);
  const { body } = await fetch(`${bound.server.url}/api/events`);
  if (body === null) throw new Error('The answer has no body.');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  return { read: () => reader.read() };
}

it.each([
  ['was revoked', () => Promise.reject(new AppError('unauthenticated', 'No.'))],
  ['has other rights now', () => Promise.resolve({ name: 'somebody else' })],
])('sends nothing more once the credential %s, and ends the work behind the stream', async (_, after) => {
  const source = createEvents();
  let guard = (): Promise<Caller> => Promise.resolve({ name: 'ada' });
  const { read } = await open(() => guard(), source);
  expect((await read()).value).toContain('data: 1');
  source.send();
  expect((await read()).value).toContain('data: 2');

  guard = after;
  source.send();
  await expect(read()).rejects.toThrow('terminated');
  expect(source.isOver()).toBe(true);
});

it('cuts off a stream without events too', async () => {
  let isValid = true;
  const guard = (): Promise<Caller> =>
    isValid ? Promise.resolve({ name: 'ada' }) : Promise.reject(new AppError('forbidden', 'No.'));
  const { read } = await open(guard, createEvents());
  await read();

  isValid = false;
  await expect(read()).rejects.toThrow('terminated');
});

it('continues while the credential cannot be checked', async () => {
  const source = createEvents();
  let guard = (): Promise<Caller> => Promise.resolve({ name: 'ada' });
  const { read } = await open(() => guard(), source);
  await read();

  guard = () => Promise.reject(new AppError('unavailable', 'The database is locked.'));
  source.send();
  expect((await read()).value).toContain('data: 2');
});
