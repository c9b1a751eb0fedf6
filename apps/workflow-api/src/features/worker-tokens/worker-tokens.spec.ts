import { createManualClock, createRecordingLogger } from '@weir/test-kit';
import { systemRandom } from '../../adapters/random-source';
import { createTestApi, type TestApi } from '../../testing/test-api';
import { unauthorized } from '../../testing/answers';
import { remoteWorkerPrefix } from '../queue/store/remote-owner';
import { createInMemoryWorkerRepository } from '../worker';
import { aWorker } from '../../testing/worker-builders';
import { createInMemoryWorkerTokenRepository, createWorkerTokens, type WorkerTokens } from './index';
import type { WorkerTokenRepository } from './worker-token-repository';

const clock = createManualClock(new Date('2026-05-06T07:08:09.123Z'));
const logger = createRecordingLogger();
const workers = createInMemoryWorkerRepository();
let repository: WorkerTokenRepository;
let tokens: WorkerTokens;
let api: TestApi;
let admin: string;

beforeEach(async () => {
  repository = createInMemoryWorkerTokenRepository();
  tokens = createTokens(repository);
  api = await createTestApi({ features: [tokens] });
  admin = await api.signIn(await api.addUser({ username: 'ada', role: 'admin' }));
});
afterEach(() => api.stop());

function createTokens(workerTokens: WorkerTokenRepository): WorkerTokens {
  return createWorkerTokens({ workerTokens, workers, clock, random: systemRandom, logger });
}

const create = (body: unknown) => api.send('POST /worker-tokens', { as: admin, body });
const createToken = async (name = 'gpu-1', labels = {}) => String((await create({ name, labels })).body.token);

describe('POST /worker-tokens', () => {
  it('returns 201 with the token and who has created it', async () => {
    await expect(create({ name: 'gpu-1', labels: { region: 'eu', gpu: 'a100' } })).resolves.toMatchObject({
      status: 201,
      body: {
        token: expect.stringMatching(/^weirw_[1-9A-HJ-NP-Za-km-z]{32,44}$/) as string,
        workerToken: {
          name: 'gpu-1',
          labels: { gpu: 'a100', region: 'eu' },
          createdAt: clock.now().toISOString(),
          createdBy: 'ada',
          lastUsedAt: null,
        },
      },
    });
  });

  it('shows the token only this once, and stores only its hash', async () => {
    const token = await createToken();
    const listed = await api.send('GET /worker-tokens', { as: admin });
    const kept = JSON.stringify([listed.body, await repository.list(), api.logger.entries]);

    expect(listed).toMatchObject({ status: 200, body: { workerTokens: [{ name: 'gpu-1' }] } });
    expect(kept).not.toContain(token.slice('weirw_'.length));
    expect(JSON.stringify(listed.body)).not.toContain('ash');
  });

  it('returns 409 when the name is taken', async () => {
    await createToken();
    await expect(create({ name: 'gpu-1' })).resolves.toMatchObject({
      status: 409,
      body: { reason: 'worker_token_taken' },
    });
  });

  it.each([
    ['a name in capitals', { name: 'GPU' }],
    ['a long name', { name: 'a'.repeat(41) }],
    ['the name of a label with a blank', { name: 'a', labels: { 'g pu': 'x' } }],
    ['the value of a label with a comma', { name: 'a', labels: { gpu: 'x,region=eu' } }],
    ['the value of a label that is a number', { name: 'a', labels: { gpu: 1 } }],
    ['101 labels', { name: 'a', labels: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`l${i}`, ''])) }],
    ['a field that might be meant as a limit', { name: 'a', expiresAt: '2030-01-01T00:00:00Z' }],
  ])('returns 400 for %s', async (_, body) => {
    await expect(create(body)).resolves.toMatchObject({ status: 400, body: { reason: 'request_invalid' } });
  });

  it('is in no area of the scopes of keys', async () => {
    await expect(
      api.send('POST /api-keys', { as: admin, body: { name: 'k', role: 'admin', scopes: ['createWorkerToken'] } }),
    ).resolves.toMatchObject({ status: 400, body: { reason: 'scope_unknown' } });
  });
});

describe('a worker token', () => {
  it('says whose it is', async () => {
    const token = await createToken('gpu-1', { gpu: 'a100' });
    const [stored] = await repository.list();

    await expect(tokens.identify(token)).resolves.toEqual({ id: stored?.id, name: 'gpu-1', labels: { gpu: 'a100' } });
  });

  it('is refused from its revocation on', async () => {
    const token = await createToken();
    await api.send('DELETE /worker-tokens/gpu-1', { as: admin });

    await expect(tokens.identify(token)).resolves.toBeUndefined();
  });

  it('ends the claims of its workers when it is revoked, and of no others', async () => {
    const prefix = remoteWorkerPrefix((await tokens.identify(await createToken())) ?? { id: '', name: '' });
    for (const id of [`${prefix}a`, `${prefix}b`, 'https.gpu-1.other.c']) {
      await workers.beat({ ...aWorker({ id }), claims: true });
    }
    await api.send('DELETE /worker-tokens/gpu-1', { as: admin });

    await expect(workers.listAlive(60_000)).resolves.toEqual(['https.gpu-1.other.c']);
  });

  it('is no credential of the operations of people', async () => {
    const token = await createToken();
    await expect(api.send('GET /users', { as: token })).resolves.toMatchObject(unauthorized);
    await expect(api.send('GET /worker-tokens', { as: token })).resolves.toMatchObject(unauthorized);
  });

  it.each([
    ['nothing', () => ''],
    ['its mark', () => 'weirw_'],
    ['an API key', (token: string) => token.replace('weirw_', 'weir_')],
    ['something behind it', (token: string) => `${token}${'1'.repeat(20)}`],
    ['something before it', (token: string) => ` ${token}`],
    ['a line behind it', (token: string) => `${token}\n`],
    ['characters that look alike', (token: string) => `${token.slice(0, -1)}0`],
    ['megabytes', () => `weirw_${'1'.repeat(2_000_000)}`],
  ])('never reaches the database as %s', async (_, change) => {
    const token = await createToken();
    const asked: string[] = [];
    const findByHash = (hash: string) => (asked.push(hash), repository.findByHash(hash));

    await expect(createTokens({ ...repository, findByHash }).identify(change(token))).resolves.toBeUndefined();
    expect(asked).toEqual([]);
  });

  it.each([
    ['of another form of its hash', (hash: string) => `weirw_${hash.replaceAll('0', '1').slice(0, 40)}`],
    [
      'with another last character',
      (_: string, token: string) => `${token.slice(0, -1)}${token.endsWith('2') ? 3 : 2}`,
    ],
  ])('is unknown %s', async (_, change) => {
    const token = await createToken();
    const [stored] = await repository.list();

    await expect(tokens.identify(change(stored?.tokenHash ?? '', token))).resolves.toBeUndefined();
  });

  it('has its use noted once a minute', async () => {
    const token = await createToken();
    const use = async () => {
      await tokens.identify(token);
      return (await repository.list())[0]?.lastUsedAt;
    };
    const first = clock.now();

    expect(await use()).toEqual(first);
    clock.advance(59_999);
    expect(await use()).toEqual(first);
    clock.advance(1);
    expect(await use()).toEqual(clock.now());
  });

  it('does not wait until its use is noted', async () => {
    const token = await createToken();
    const waiting = createTokens({ ...repository, noteUse: () => new Promise(() => undefined) });

    await expect(waiting.identify(token)).resolves.toMatchObject({ name: 'gpu-1' });
  });

  it('works when its use cannot be noted, which is logged without the token', async () => {
    const token = await createToken();
    const failing = createTokens({ ...repository, noteUse: () => Promise.reject(new Error('the disk is full')) });

    await expect(failing.identify(token)).resolves.toMatchObject({ name: 'gpu-1' });
    expect(logger.messages('warn')).toEqual(['the use of a worker token is not noted']);
    expect(JSON.stringify(logger.entries)).not.toContain(token);
  });
});
