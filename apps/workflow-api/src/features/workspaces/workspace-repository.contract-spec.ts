import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryWorkspaceRepository, createPrismaWorkspaceRepository } from './index';
import type { WorkspaceRepository } from './workspace';

const moment = new Date('2026-05-06T07:08:09.123Z');
const aWorkspace = (id: string) => ({ id, name: id, description: '', createdAt: moment, updatedAt: moment });
const taken = { code: 'conflict', reason: 'workspace_name_taken' };
const missing = { code: 'not_found', reason: 'workspace_not_found' };

describe.each(storeKinds)('workspaces in %s', (kind) => {
  let stores: TestStoreSource;
  let workspaces: WorkspaceRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  afterAll(() => stores.remove());
  beforeEach(async () => {
    workspaces =
      kind === 'memory'
        ? createInMemoryWorkspaceRepository()
        : createPrismaWorkspaceRepository(await stores.openDatabase());
  }, 60_000);

  it('are listed by name and found by id', async () => {
    for (const id of ['b', 'a']) await workspaces.insert(aWorkspace(id));

    await expect(workspaces.list()).resolves.toEqual([aWorkspace('a'), aWorkspace('b')]);
    await expect(workspaces.findById('b')).resolves.toEqual(aWorkspace('b'));
    await expect(workspaces.findById('c')).resolves.toBeUndefined();
  });

  it('have unique names', async () => {
    for (const id of ['a', 'b']) await workspaces.insert(aWorkspace(id));

    await expect(workspaces.insert({ ...aWorkspace('c'), name: 'a' })).rejects.toMatchObject(taken);
    await expect(workspaces.update('b', { name: 'a', updatedAt: moment })).rejects.toMatchObject(taken);
    await expect(workspaces.update('b', { name: 'c', updatedAt: moment })).resolves.toMatchObject({ name: 'c' });
  });

  it('are missing after their removal', async () => {
    await workspaces.insert(aWorkspace('a'));
    await workspaces.remove('a');

    await expect(workspaces.list()).resolves.toEqual([]);
    await expect(workspaces.remove('a')).rejects.toMatchObject(missing);
    await expect(workspaces.update('a', { updatedAt: moment })).rejects.toMatchObject(missing);
  });
});
