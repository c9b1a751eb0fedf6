import { unaudited } from '../../access/audited-operation';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { AgentSoul } from './agent-settings';
import { initialConfig, type AgentStores, type StoredLogin, type StoredModel } from './agent-stores';
import { createInMemoryAgentStores } from './in-memory-agent-stores';
import { createPrismaAgentStores } from './prisma-agent-stores';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 9, minute));
const aModel = (id: string, values: Partial<StoredModel> = {}): StoredModel => ({
  id,
  name: `Model ${id}`,
  provider: 'local',
  model: 'm',
  baseUrl: null,
  keyId: null,
  keyText: null,
  facts: { supportsThinking: false },
  description: '',
  createdAt: at(0),
  updatedAt: at(0),
  ...values,
});
const aSoul = (id: string, values: Partial<AgentSoul> = {}): AgentSoul => ({
  id,
  name: `Soul ${id}`,
  description: '',
  content: 'Be brief.',
  createdAt: at(0),
  updatedAt: at(0),
  ...values,
});
const aLogin = (providerId: string, values: Partial<StoredLogin> = {}): StoredLogin => ({
  providerId,
  keyId: 'k1',
  text: 'sealed',
  expiresAt: at(9),
  canRefresh: true,
  accountId: null,
  connectedAt: at(0),
  ...values,
});
const rejected = (reason: string) => ({ reason });

describe.each(storeKinds)('stores of the agent on %s', (kind) => {
  let source: TestStoreSource;
  let stores: AgentStores;

  beforeAll(async () => {
    source = await createTestStores(kind);
  });
  beforeEach(async () => {
    stores = kind === 'memory' ? createInMemoryAgentStores() : createPrismaAgentStores(await source.openDatabase());
  });
  afterAll(() => source.remove());

  it('return a model as it was inserted, and list models by age', async () => {
    const facts = {
      contextWindow: 8192,
      inputCostPer1M: 0.15,
      supportsThinking: true,
      thinkingEffort: 'high',
    } as const;
    const full = aModel('b', { baseUrl: 'http://127.0.0.1:1/v1', keyId: 'k', keyText: 'a.b', facts, description: 'é' });
    for (const model of [aModel('c', { createdAt: at(1) }), full, aModel('a')])
      await stores.models.insert(model, unaudited);

    await expect(stores.models.find('b')).resolves.toEqual(full);
    await expect(stores.models.find('none')).resolves.toBeUndefined();
    expect((await stores.models.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('allow each id and name of a model once', async () => {
    await stores.models.insert(aModel('a'), unaudited);
    await stores.models.insert(aModel('b'), unaudited);
    const rename = stores.models.update('b', (before) => ({ ...before, name: 'Model a' }), unaudited);

    await expect(rename).rejects.toMatchObject(rejected('agent_model_name_taken'));
    await expect(stores.models.insert(aModel('a', { name: 'Other' }), unaudited)).rejects.toMatchObject(
      rejected('agent_model_id_taken'),
    );
    await expect(stores.models.insert(aModel('c', { name: 'Model a' }), unaudited)).rejects.toMatchObject(
      rejected('agent_model_name_taken'),
    );
  });

  it('change a model from its previous state', async () => {
    await stores.models.insert(aModel('a'), unaudited);
    const change = (before: StoredModel) => ({ ...before, model: `${before.model}2`, updatedAt: at(3) });

    await expect(stores.models.update('a', change, unaudited)).resolves.toEqual(
      aModel('a', { model: 'm2', updatedAt: at(3) }),
    );
    await expect(stores.models.update('none', change, unaudited)).rejects.toMatchObject(
      rejected('agent_model_not_found'),
    );
  });

  it('use the first model, and the oldest other one when it is removed', async () => {
    const current = async () => (await stores.config.read()).defaultModelId;
    for (const [minute, id] of ['z', 'y', 'x'].entries())
      await stores.models.insert(aModel(id, { createdAt: at(minute) }), unaudited);

    expect(await current()).toBe('z');
    await stores.models.remove('z', unaudited);
    expect(await current()).toBe('y');
    await stores.models.remove('x', unaudited);
    expect(await current()).toBe('y');
    await stores.models.remove('y', unaudited);
    expect(await current()).toBeNull();
    await expect(stores.models.remove('y', unaudited)).rejects.toMatchObject(rejected('agent_model_not_found'));
  });

  it('keep no default model where none was selected', async () => {
    await stores.models.insert(aModel('a'), unaudited);
    await stores.config.update({ defaultModelId: null }, at(1), unaudited);
    await stores.models.insert(aModel('b'), unaudited);
    await expect(stores.config.read()).resolves.toMatchObject({ defaultModelId: null });
  });

  it('encrypt the key of a model again unless it was changed meanwhile', async () => {
    await stores.models.insert(aModel('a', { keyId: 'k1', keyText: 'old' }), unaudited);
    await stores.models.insert(aModel('b'), unaudited);
    const [row, ...others] = await stores.models.listSealed();
    const sealed = { keyId: 'k2', text: 'new' };

    expect({ row, others }).toMatchObject({ row: { id: 'a', sealed: { keyId: 'k1', text: 'old' } }, others: [] });
    if (row === undefined) throw new Error('There is no row.');
    await expect(stores.models.replaceSealed(row, sealed)).resolves.toBe(true);
    await expect(stores.models.replaceSealed(row, { keyId: 'k3', text: 'late' })).resolves.toBe(false);
    await expect(stores.models.find('a')).resolves.toMatchObject({ keyId: 'k2', keyText: 'new' });
  });

  it('return, list and change souls', async () => {
    await stores.souls.insert(aSoul('b', { name: 'B' }), unaudited);
    await stores.souls.insert(aSoul('a', { name: 'a' }), unaudited);
    const changes = { content: 'Be kind.', updatedAt: at(2) };

    await expect(stores.souls.update('b', changes, unaudited)).resolves.toEqual(aSoul('b', { name: 'B', ...changes }));
    expect((await stores.souls.list()).map(({ id }) => id)).toEqual(['b', 'a']);
    await expect(stores.souls.find('a')).resolves.toEqual(aSoul('a', { name: 'a' }));
    await expect(stores.souls.find('none')).resolves.toBeUndefined();
    await expect(stores.souls.update('none', changes, unaudited)).rejects.toMatchObject(
      rejected('agent_soul_not_found'),
    );
    await expect(stores.souls.update('b', { ...changes, name: 'a' }, unaudited)).rejects.toMatchObject(
      rejected('agent_soul_name_taken'),
    );
  });

  it('allow each id and name of a soul once', async () => {
    await stores.souls.insert(aSoul('a'), unaudited);
    await expect(stores.souls.insert(aSoul('a', { name: 'x' }), unaudited)).rejects.toMatchObject(
      rejected('agent_soul_id_taken'),
    );
    await expect(stores.souls.insert(aSoul('b', { name: 'Soul a' }), unaudited)).rejects.toMatchObject(
      rejected('agent_soul_name_taken'),
    );
  });

  it('begin sessions without a soul that was removed', async () => {
    await stores.souls.insert(aSoul('a'), unaudited);
    await stores.config.update({ selectedSoulId: 'a' }, at(1), unaudited);
    await stores.souls.remove('a', unaudited);

    await expect(stores.config.read()).resolves.toMatchObject({ selectedSoulId: null });
    await expect(stores.souls.remove('a', unaudited)).rejects.toMatchObject(rejected('agent_soul_not_found'));
  });

  it('keep what a change of the settings leaves out', async () => {
    await expect(stores.config.read()).resolves.toEqual(initialConfig);
    const toolPolicy = { tools: { a: false }, bash: { rules: [{ pattern: '^rm', action: 'deny' as const }] } };
    await stores.config.update({ toolPolicy, limits: { maxSteps: 3 }, webSearch: { maxUses: 2 } }, at(1), unaudited);
    const after = await stores.config.update({ isEnabled: false, limits: { maxCost: 0.5 } }, at(2), unaudited);

    expect(after).toMatchObject({ isEnabled: false, toolPolicy, webSearch: { maxUses: 2 } });
    expect(after.limits).toEqual({ maxSteps: 3, maxCost: 0.5 });
    await expect(stores.config.read()).resolves.toEqual(after);
  });

  it('refuse settings that name a missing model or soul', async () => {
    await expect(stores.config.update({ defaultModelId: 'x' }, at(1), unaudited)).rejects.toMatchObject(
      rejected('agent_model_unknown'),
    );
    await expect(stores.config.update({ selectedSoulId: 'x' }, at(1), unaudited)).rejects.toMatchObject(
      rejected('agent_soul_unknown'),
    );
  });

  it('hold a memory for every session, and one for each DAG', async () => {
    await stores.memories.write('', { content: 'all', at: at(1) }, unaudited);
    for (const name of ['nightly', 'Backup'])
      await stores.memories.write(name, { content: name, at: at(1) }, unaudited);
    await stores.memories.write('nightly', { content: 'new', at: at(2) }, unaudited);

    await expect(stores.memories.listDagNames()).resolves.toEqual(['Backup', 'nightly']);
    await expect(stores.memories.read('nightly')).resolves.toBe('new');
    await stores.memories.remove('nightly', unaudited);
    await stores.memories.remove('nightly', unaudited);
    await expect(stores.memories.read('nightly')).resolves.toBe('');
    await expect(stores.memories.read('')).resolves.toBe('all');
  });

  it('hold one token of a provider, which is renewed unless it has changed meanwhile', async () => {
    await stores.logins.save(aLogin('p', { text: 'first' }), unaudited);
    await stores.logins.save(aLogin('p'), unaudited);
    const renewed = aLogin('p', { text: 'renewed', expiresAt: null, canRefresh: false });

    await expect(stores.logins.renew(aLogin('p'), renewed)).resolves.toBe(true);
    await expect(stores.logins.renew(aLogin('p'), aLogin('p', { text: 'late' }))).resolves.toBe(false);
    await expect(stores.logins.find('p')).resolves.toEqual(renewed);
    const [row] = await stores.logins.listSealed();
    if (row === undefined) throw new Error('There is no row.');
    await expect(stores.logins.replaceSealed(row, { keyId: 'k2', text: 'anew' })).resolves.toBe(true);
    await expect(stores.logins.replaceSealed(row, { keyId: 'k3', text: 'late' })).resolves.toBe(false);
    await expect(stores.logins.find('p')).resolves.toEqual({ ...renewed, keyId: 'k2', text: 'anew' });
    await stores.logins.remove('p', unaudited);
    await stores.logins.remove('p', unaudited);
    await expect(stores.logins.find('p')).resolves.toBeUndefined();
  });
});
