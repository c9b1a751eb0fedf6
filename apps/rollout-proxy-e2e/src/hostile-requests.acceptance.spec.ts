import { request as httpRequest } from 'node:http';
import { hostileModelRequests, type HostileRequest } from '@weir/test-kit';
import { startEpisode, type Episode } from './support/episode';
import { adminKey, startRolloutProxy, type RolloutProxy } from './support/rollout-proxy';

const maxBodyBytes = 200_000;
const secretText = 'the-neighbours-secret';

let proxy: RolloutProxy;
let neighbour: Episode;
let episode: Episode;

beforeAll(async () => {
  // No answer needs more tokens here than it takes to see that there is one.
  proxy = await startRolloutProxy({
    env: { ROLLOUT_MAX_BODY_BYTES: String(maxBodyBytes), ROLLOUT_MAX_TURN_TOKENS: '2', ROLLOUT_LOG_LEVEL: 'debug' },
  });
  neighbour = await startEpisode(proxy, 'neighbour');
  await neighbour.chat({ messages: [{ role: 'user', content: secretText }] });
  episode = await startEpisode(proxy, 'hostile');
}, 120_000);
afterAll(() => proxy.dispose());

describe.each(Object.entries(hostileModelRequests))('POST %s', (path, createHostileRequests) => {
  const requests = createHostileRequests(maxBodyBytes);

  it.each(requests.map((request) => [request.name, request] as const))(
    'withstands a body that %s',
    async (_name, request) => {
      const { status, text } = await send(path, request, episode.key);
      // A valid request may be too long for the model that is used here.
      const isTooLong = status === 400 && text.includes('The conversation has');
      expect(Math.floor(status / 100)).toBe(isTooLong ? 4 : request.statusClass);
      expect(() => JSON.parse(text) as unknown).not.toThrow();
      expect(text).not.toContain(secretText);
    },
    // Some are long, and the model is read token by token.
    60_000,
  );

  it.each([
    ['no key', {}],
    ['the admin key', { authorization: `Bearer ${adminKey}` }],
    ['a forged key', { authorization: `Bearer ${'A'.repeat(43)}` }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['half a key', { 'x-api-key': 'half' }],
  ])('refuses %s before it reads the body', async (_name, headers: Readonly<Record<string, string>>) => {
    const broken = { name: '', body: '{', headers: {}, statusClass: 4 } as const;
    const { status, text } = await send(path, { ...broken, headers: { authorization: '', ...headers } }, '');
    expect([401, 403]).toContain(status);
    expect(text).not.toContain('JSON');
  });
});

it('has logged none of it as an internal error, and neither keys nor content', async () => {
  const { status } = await episode.chat({ messages: [{ role: 'user', content: 'Are you still there?' }] });
  expect(status).toBe(200);
  const log = proxy.process.stderr();
  expect(log).not.toMatch(/\bERROR\b/);
  for (const secret of [secretText, adminKey, episode.key, neighbour.key]) expect(log).not.toContain(secret);
});

it('reveals nothing of another session', async () => {
  const own = await episode.exported({ wait_seconds: 0 }).catch((error: unknown) => error);
  expect(JSON.stringify(own)).not.toContain(secretText);
  const { status } = await proxy.request('/rl/set_reward', {
    key: episode.key,
    body: { reward: 1, session_id: neighbour.id },
  });
  expect(Math.floor(status / 100)).toBe(4);
});

/** The request is written by hand, because `fetch` would correct or refuse some of it. */
function send(path: string, { body, headers }: HostileRequest, key: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${proxy.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      timeout: 55_000,
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', reject);
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
      );
    });
    request.end(body);
  });
}
