import { toByteIds } from '../support/byte-tokenizer';
import { adminKey } from '../support/rollout-proxy';
import { hello, readError, useDefects, user } from './testing/use-defects';

jest.setTimeout(60_000);

describe('defects of similar services', () => {
  const inUse = useDefects();
  const { request } = inUse;

  describe('a request that cannot be executed', () => {
    const tooLong = user('x'.repeat(2_500));
    it.each([
      ['no messages', { messages: [] }],
      ['more than one answer', { ...hello, n: 2 }],
      ['two limits', { ...hello, max_completion_tokens: 5 }],
      ['an unknown role', { messages: [{ role: 'wizard', content: 'x' }] }],
      ['a prompt longer than the context', { messages: [tooLong] }],
      ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }],
      ['an unknown parameter', { ...hello, frobnicate: true }],
      ['audio', { ...hello, modalities: ['audio'] }],
      [
        'a choice of a tool that is not there',
        { ...hello, tool_choice: { type: 'function', function: { name: 'x' } } },
      ],
    ])('with %s is refused in the form of its protocol', async (_what, body) => {
      const before = inUse.setting.calls().length;
      const answer = await inUse.episode.chat(body);
      expect(answer.status).toBe(400);
      expect(readError(answer)).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) as string });
      expect(inUse.setting.calls()).toHaveLength(before);
      expect(await inUse.episode.end()).toBe(0);
    });

    it('is refused in the form of messages at its address', async () => {
      const answer = await request('/v1/messages', { key: inUse.episode.key, body: { model: 'any', messages: [] } });
      expect([answer.status, answer.body.type, readError(answer).type]).toEqual([
        400,
        'error',
        'invalid_request_error',
      ]);
    });

    it('is refused in the form of responses at its address', async () => {
      const answer = await request('/v1/responses', { key: inUse.episode.key, body: { model: 'any', input: [] } });
      expect([answer.status, readError(answer).type]).toEqual([400, 'invalid_request_error']);
    });

    it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
      'with a wrong key is 401 at %s',
      async (path) => {
        const answer = await request(path, { key: 'no-key-of-anybody', body: {} });
        expect([answer.status, readError(answer).type]).toEqual([401, 'authentication_error']);
      },
    );

    it('names the parameters that it ignored', async () => {
      const answer = await inUse.episode.chat({ ...hello, user: 'me', service_tier: 'auto' });
      expect(answer.headers.get('x-ignored-parameters')).toBe('user, service_tier');
    });
  });

  it.each([
    ['a refusal', { status: 400, message: 'bad ids [31, 42, 97] at 10.0.0.1' }],
    ['a failure', { status: 500, message: 'crashed on [31, 42, 97] at 10.0.0.1' }],
    ['a lost connection', { resetBeforeAnswer: true }],
    ['an answer that is no JSON', { garbage: true }],
    ['ids that are none', { malformedId: true }],
  ])('shows nothing of the prompt or the engine when it meets %s', async (_what, faults) => {
    inUse.setting.answers({ ids: [...toByteIds('x')], faults });
    const answer = await inUse.episode.chat({ messages: [user('a secret prompt')] });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(answer.status).toBeLessThan(600);
    const { port } = new URL(inUse.setting.engine.url);
    for (const word of ['31, 42', '10.0.0.1', 'secret', `:${port}`, 'at Object'])
      expect(answer.text).not.toContain(word);
    expect(inUse.setting.proxy.process.stderr()).not.toContain('a secret prompt');
    expect(await inUse.episode.end()).toBe(0);
  });

  describe('addresses and keys', () => {
    const contents = [{ parts: [{ text: 'hello' }] }];
    const bodies = {
      '/chat/completions': { model: 'm', ...hello },
      '/responses': { model: 'm', input: 'hello' },
      '/messages': { model: 'm', ...hello },
      '/messages/count_tokens': { model: 'm', messages: hello.messages },
      '/models/m:generateContent': { contents },
      '/models/m:streamGenerateContent?alt=sse': { contents },
      '/models/m:countTokens': { contents },
    };
    const routes = Object.entries(bodies).flatMap(([path, body]) => [
      [path, body] as const,
      [`/v1${path}`, body] as const,
    ]);

    it.each(routes)('serves %s with x-api-key and with a bearer token', async (path, body) => {
      const viaHeader = await request(path, { key: null, headers: { 'x-api-key': inUse.episode.key }, body });
      const viaBearer = await request(path, { key: inUse.episode.key, body });
      expect([viaHeader.status, viaBearer.status]).toEqual([200, 200]);
    });

    it('serves generateContent with a key as clients of Google send it', async () => {
      const body = { contents };
      const { key } = inUse.episode;
      const path = '/v1beta/models/m:generateContent';
      const viaHeader = await request(path, { key: null, headers: { 'x-goog-api-key': key }, body });
      const viaAddress = await request(`${path}?key=${key}`, { key: null, body });
      expect([viaHeader.status, viaAddress.status]).toEqual([200, 200]);
      expect(inUse.setting.proxy.process.stderr()).not.toContain(key);
    });

    it('accepts x-api-key for rewards, the end and the export', async () => {
      await inUse.episode.chat(hello);
      const withKey = (key: string) => ({ key: null, headers: { 'x-api-key': key } });
      const reward = await request('/rl/set_reward', { ...withKey(inUse.episode.key), body: { reward: 1 } });
      const end = await request('/rl/end_session', withKey(inUse.episode.key));
      const exported = await request('/export_trajectories', {
        ...withKey(adminKey),
        body: { session_id: inUse.episode.id },
      });
      expect([reward.status, end.status, exported.status]).toEqual([200, 200, 200]);
    });

    it.each([
      ['POST', '/grant_capacity'],
      ['POST', '/rl/start_session'],
      ['POST', '/export_trajectories'],
      ['POST', '/rl/acknowledge_export'],
      ['POST', '/pause_generation'],
      ['POST', '/continue_generation'],
      ['POST', '/set_version'],
      ['GET', '/get_version'],
      ['GET', '/rl/sessions'],
      ['GET', '/metrics'],
    ])('allows only the trainer to use %s %s', async (method, path) => {
      const statuses = [];
      for (const key of [null, 'x'.repeat(43), inUse.episode.key])
        statuses.push((await request(path, { method, key })).status);
      expect(statuses).toEqual([401, 401, 403]);
    });

    it.each(['/configure', '/set_env', '/create_engine', '/call', '/alloc_ports'])('has no %s', async (path) => {
      expect((await request(path, { body: {} })).status).toBe(404);
    });
  });
});
