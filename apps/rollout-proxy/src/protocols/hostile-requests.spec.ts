import { hostileModelRequests, type HostileRequest } from '@weir/test-kit';
import { maxBodyBytes, type RawAnswer } from './testing/protocol-app';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

const send = (path: string, { body, headers }: HostileRequest): Promise<RawAnswer> => app.post(path, body, headers);

const isEnvelope: Readonly<Record<string, (body: unknown) => boolean>> = {
  '/chat/completions': isOpenAiError,
  '/responses': isOpenAiError,
  '/messages': isMessagesError,
  '/models/m:generateContent': isGoogleError,
};

describe.each(Object.entries(hostileModelRequests))('POST %s', (path, createHostileRequests) => {
  const requests = createHostileRequests(maxBodyBytes);

  it('is tried with at least a hundred hostile requests, each with a unique name', () => {
    expect(new Set(requests.map(({ name }) => name)).size).toBe(requests.length);
    expect(requests.length).toBeGreaterThanOrEqual(100);
  });

  it.each(requests.map((request) => [request.name, request] as const))(
    'withstands a body that %s',
    async (_name, request) => {
      const { status, text } = await send(path, request);
      expect(Math.floor(status / 100)).toBe(request.statusClass);
      const body: unknown = JSON.parse(text);
      expect(isEnvelope[path]?.(body)).toBe(request.statusClass === 4);
      // The answer does not repeat the request at length.
      if (request.statusClass === 4) expect(text.length).toBeLessThan(1000);
    },
  );

  it('keeps answering after them, and has logged no internal error', async () => {
    const good = requests.find(({ statusClass }) => statusClass === 2);
    expect(good === undefined ? undefined : (await send(path, good)).status).toBe(200);
    expect(app.logger.messages('error')).toEqual([]);
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });
});

function isOpenAiError(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return (
    typeof error === 'object' &&
    error !== null &&
    ['message', 'type', 'param', 'code'].every((name) => name in error) &&
    Object.keys(body).length === 1
  );
}

function isGoogleError(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error && 'status' in error;
}

function isMessagesError(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('type' in body) || body.type !== 'error') return false;
  const error = 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null && 'type' in error && 'message' in error;
}
