import type { Database } from '@weir/workflow-db';
import { createTestStores, databaseKinds, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { extendChain } from './audit-chain';
import type { AuditFilter, AuditLogRepository, AuditRecord } from './audit-entry';
import { createInMemoryAuditLogRepository, createPrismaAuditLogRepository } from './index';
import { verifyAuditLog } from './verify-audit-log';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second, 5));
const aRecord = (second: number, values: Partial<AuditRecord> = {}): AuditRecord => ({
  id: `r${second}`,
  timestamp: at(second),
  category: 'user',
  action: 'user_update',
  result: 'success',
  userId: 'u1',
  username: 'ada',
  credentialType: 'session',
  credentialId: 's1',
  ipAddress: '10.0.0.1',
  resourceType: 'user',
  resourceId: 'u2',
  workspace: null,
  correlationId: `c${second}`,
  details: '{}',
  ...values,
});

describe.each(storeKinds)('audit log in %s', (kind) => {
  let stores: TestStoreSource;
  let log: AuditLogRepository;
  const idsOf = async (filter: AuditFilter, page = { offset: 0, limit: 100 }) =>
    (await log.list(filter, page)).map(({ id }) => id);

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  beforeEach(async () => {
    log =
      kind === 'memory'
        ? createInMemoryAuditLogRepository()
        : createPrismaAuditLogRepository(await stores.openDatabase());
  }, 60_000);
  afterAll(() => stores.remove());

  it('puts what was recorded into the chain in the order of its times, and no more than asked for', async () => {
    for (const second of [2, 1, 3]) await log.append(aRecord(second));

    await expect(log.seal(2)).resolves.toBe(2);
    await expect(idsOf({})).resolves.toEqual(['r2', 'r1']);
    await expect(log.seal(2)).resolves.toBe(1);
    await expect(log.seal(2)).resolves.toBe(0);
    await expect(verifyAuditLog(log)).resolves.toMatchObject({ valid: true, entries: 3, lastPosition: 3 });
  });

  it('limits entries to workspaces, beside the one that is asked for', async () => {
    await log.append(aRecord(1));
    await log.append(aRecord(2, { workspace: 'ops' }));
    await log.append(aRecord(3, { workspace: 'dev' }));
    await log.seal(10);

    await expect(idsOf({ workspaces: ['ops', 'dev'] })).resolves.toEqual(['r3', 'r2']);
    await expect(idsOf({ workspaces: ['ops'], workspace: 'dev' })).resolves.toEqual([]);
    await expect(log.count({ workspaces: ['ops'] })).resolves.toBe(1);
  });

  it('returns entries as they were recorded', async () => {
    const record = aRecord(1, { details: '{"after":{"role":"admin"}}', credentialId: null, result: 'failure' });
    await log.append(record);
    await log.seal(10);

    await expect(log.listAfter(0, 10)).resolves.toEqual([
      { ...record, position: 1, previousHash: '0'.repeat(64), hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    ]);
  });

  it.each<[string, AuditFilter, readonly string[]]>([
    ['a category', { category: 'auth' }, ['r2']],
    ['an action', { action: 'login' }, ['r2']],
    ['a result', { result: 'failure' }, ['r2']],
    ['a user', { userId: 'u9' }, ['r3']],
    ['an address', { ipAddress: '10.0.0.9' }, ['r3']],
    ['a text in the details', { search: 'needle' }, ['r3']],
    ['a beginning and an end', { from: at(2), to: at(3) }, ['r2']],
  ])('lists and counts by %s, newest first', async (_, filter, ids) => {
    await log.append(aRecord(1));
    await log.append(aRecord(2, { category: 'auth', action: 'login', result: 'failure' }));
    await log.append(aRecord(3, { userId: 'u9', ipAddress: '10.0.0.9', details: '{"after":"a needle"}' }));
    await log.seal(10);

    await expect(idsOf(filter)).resolves.toEqual(ids);
    await expect(log.count(filter)).resolves.toBe(ids.length);
    await expect(idsOf({}, { offset: 1, limit: 1 })).resolves.toEqual(['r2']);
  });

  it('deletes old entries so that the rest can still be verified, and records that it did', async () => {
    for (let second = 1; second <= 5; second += 1) await log.append(aRecord(second));
    await log.seal(10);
    const toRecord = ({ position }: { readonly position: number }) =>
      aRecord(9, { id: 'pruned', action: 'audit_prune', details: JSON.stringify({ position }) });

    await expect(log.prune(at(4), 2, toRecord)).resolves.toBe(2);
    await log.seal(10);
    await expect(idsOf({})).resolves.toEqual(['pruned', 'r5', 'r4', 'r3']);
    await expect(verifyAuditLog(log)).resolves.toMatchObject({ valid: true, firstPosition: 3, lastPosition: 6 });
    await expect(log.listAfter(5, 1)).resolves.toMatchObject([{ details: '{"position":2}' }]);
    await expect(log.prune(at(3), 2, toRecord)).resolves.toBe(0);
  });

  it('never deletes the newest entry', async () => {
    for (const second of [1, 2]) await log.append(aRecord(second));
    await log.seal(10);

    await expect(log.prune(at(60), 10, () => aRecord(9))).resolves.toBe(1);
    await expect(idsOf({})).resolves.toEqual(['r2']);
  });
});

describe.each(databaseKinds)('a chain that somebody changes in %s', (kind) => {
  let stores: TestStoreSource;
  let database: Database;
  let log: AuditLogRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  beforeEach(async () => {
    database = await stores.openDatabase();
    log = createPrismaAuditLogRepository(database);
    for (let second = 1; second <= 4; second += 1) await log.append(aRecord(second));
    await log.seal(10);
  }, 60_000);
  afterAll(() => stores.remove());

  it('shows which entry was changed', async () => {
    await database.db.auditEntry.update({ where: { position: 2 }, data: { username: 'eve' } });

    await expect(verifyAuditLog(log)).resolves.toMatchObject({
      valid: false,
      problem: { kind: 'changed', position: 2 },
    });
  });

  it('shows that an entry was removed, from the middle, the beginning or the end', async () => {
    for (const position of [2, 1, 4]) {
      const row = await database.db.auditEntry.delete({ where: { position } });

      await expect(verifyAuditLog(log)).resolves.toMatchObject({
        valid: false,
        problem: { kind: 'removed', position },
      });
      await database.db.auditEntry.create({ data: row });
    }
    await expect(verifyAuditLog(log)).resolves.toMatchObject({ valid: true });
  });

  it('shows that an entry was inserted, in the middle or at the end', async () => {
    const { db } = database;
    const [, second] = await log.listAfter(0, 2);
    if (second === undefined) throw new Error('There is no second entry.');

    const last = (await log.readChain()).last;
    const [atEnd] = extendChain(last, [aRecord(7, { id: 'forged' })]);
    if (atEnd === undefined) throw new Error('Nothing was forged.');
    await db.auditEntry.create({ data: atEnd });
    await expect(verifyAuditLog(log)).resolves.toMatchObject({ problem: { kind: 'inserted', position: 5 } });
    await db.auditEntry.delete({ where: { position: 5 } });

    for (const position of [4, 3])
      await db.auditEntry.update({ where: { position }, data: { position: position + 1 } });
    const [inMiddle] = extendChain(second, [aRecord(8, { id: 'forged' })]);
    if (inMiddle === undefined) throw new Error('Nothing was forged.');
    await db.auditEntry.create({ data: inMiddle });
    await expect(verifyAuditLog(log)).resolves.toMatchObject({ problem: { kind: 'inserted', position: 3 } });
  });
});
