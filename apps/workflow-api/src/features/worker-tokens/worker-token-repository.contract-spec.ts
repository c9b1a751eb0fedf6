import { unaudited } from '../../access/audited-operation';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import {
  createInMemoryWorkerTokenRepository,
  createPrismaWorkerTokenRepository,
  type WorkerTokenRepository,
} from './index';
import type { WorkerToken } from './worker-token';

const moment = new Date('2026-05-06T07:08:09.123Z');
const after = (seconds: number): Date => new Date(moment.getTime() + seconds * 1000);
const aToken = (name: string, values: Partial<WorkerToken> = {}): WorkerToken => ({
  id: `id of ${name}`,
  name,
  tokenHash: `hash of ${name}`,
  labels: { gpu: 'a100', region: 'é' },
  createdAt: moment,
  createdBy: 'ada',
  lastUsedAt: undefined,
  ...values,
});

describe.each(storeKinds)('worker tokens in %s', (kind) => {
  let stores: TestStoreSource;
  let tokens: WorkerTokenRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  afterAll(() => stores.remove());
  beforeEach(async () => {
    tokens =
      kind === 'memory'
        ? createInMemoryWorkerTokenRepository()
        : createPrismaWorkerTokenRepository(await stores.openDatabase());
  }, 60_000);

  const add = (token: WorkerToken) => tokens.insert(token, unaudited);

  it('are listed by name, and found by their hash', async () => {
    for (const name of ['b-1', 'b', 'a_1']) await add(aToken(name));

    await expect(tokens.list()).resolves.toEqual([aToken('a_1'), aToken('b'), aToken('b-1')]);
    await expect(tokens.findByHash('hash of b')).resolves.toEqual(aToken('b'));
    await expect(tokens.findByHash('b')).resolves.toBeUndefined();
  });

  it('lets one of many parallel inserts of the same name win', async () => {
    const inserts = Array.from({ length: 5 }, (_, index) =>
      add(aToken('gpu', { id: `${index}`, tokenHash: `${index}` })),
    );
    const lost = (await Promise.allSettled(inserts)).filter(({ status }) => status === 'rejected');

    expect(lost).toHaveLength(4);
    for (const result of lost) expect(result).toMatchObject({ reason: { reason: 'worker_token_taken' } });
  });

  it('are removed by name, and the name can be used again', async () => {
    await add(aToken('gpu'));
    await expect(tokens.remove('gpu', unaudited)).resolves.toEqual(aToken('gpu'));

    await expect(tokens.findByHash('hash of gpu')).resolves.toBeUndefined();
    await expect(tokens.remove('gpu', unaudited)).rejects.toMatchObject({ reason: 'worker_token_not_found' });
    await expect(add(aToken('gpu'))).resolves.toBeUndefined();
  });

  it('store a use unless a newer one than the limit is stored', async () => {
    await add(aToken('gpu'));
    const lastUse = async () => (await tokens.findByHash('hash of gpu'))?.lastUsedAt;

    await tokens.noteUse('id of gpu', { at: moment, notAfter: after(-60) });
    await tokens.noteUse('id of gpu', { at: after(59), notAfter: after(-1) });
    await expect(lastUse()).resolves.toEqual(moment);
    await tokens.noteUse('id of gpu', { at: after(60), notAfter: moment });
    await expect(lastUse()).resolves.toEqual(after(60));
    await expect(tokens.noteUse('revoked', { at: moment, notAfter: moment })).resolves.toBeUndefined();
  });
});
