import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { AgentSession, NewMessage, PendingPrompt } from './agent-session';
import { createInMemorySessionRepository } from './in-memory-session-repository';
import { createPrismaSessionRepository } from './prisma-session-repository';
import type { SessionRepository } from './session-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 24, 0, 0, second));
const aSession = (id: string, values: Partial<AgentSession> = {}): AgentSession => ({
  id,
  ownerId: 'user:ada',
  title: 'hi',
  dagName: null,
  modelId: null,
  soulId: null,
  createdAt: at(0),
  updatedAt: at(0),
  lastSequence: 1,
  totalTokens: 0,
  totalCost: 0,
  partial: null,
  prompt: null,
  fence: 0,
  leaseOwner: null,
  leaseUntil: null,
  ...values,
});
const aMessage = (id: string): NewMessage => ({ id, type: 'user', content: id, data: {}, createdAt: at(0) });
const prompt: PendingPrompt = {
  promptId: 'p%',
  question: 'Start?',
  multiSelect: false,
  allowFreeText: false,
  toolCallId: 'c',
};

describe.each(storeKinds)('session repository on %s', (kind) => {
  let stores: TestStoreSource;
  let sessions: SessionRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
    sessions =
      kind === 'memory'
        ? createInMemorySessionRepository()
        : createPrismaSessionRepository(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  const create = async (id: string, values?: Partial<AgentSession>): Promise<void> => {
    await sessions.insert(aSession(id, values), aMessage(`${id}-1`));
  };
  const claim = (id: string, second: number) =>
    sessions.claim(id, { owner: `server-${second}`, until: at(second + 15), now: at(second) });

  it('returns what was inserted, and inserts it once', async () => {
    await create('once', { prompt });

    expect(await sessions.insert(aSession('once', { title: 'other' }), aMessage('x'))).toBe(false);
    expect(await sessions.find('once')).toEqual(aSession('once', { prompt }));
    expect(await sessions.listMessages('once')).toEqual([{ ...aMessage('once-1'), sequence: 1 }]);
    expect(await sessions.find('none')).toBeUndefined();
  });

  it('numbers messages without gaps, even those that are stored concurrently', async () => {
    await create('many');
    await Promise.all(
      [1, 2, 3].map((n) => sessions.append('many', [aMessage(`a${n}`), aMessage(`b${n}`)], { now: at(1) })),
    );

    expect((await sessions.listMessages('many')).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await sessions.find('many')).toMatchObject({ lastSequence: 7, updatedAt: at(1) });
  });

  it('gives a session to one claim until its lease ends', async () => {
    await create('claimed');
    const claims = await Promise.all([claim('claimed', 1), claim('claimed', 1)]);

    expect(claims.toSorted()).toEqual([1, undefined]);
    expect(await claim('claimed', 15)).toBeUndefined();
    expect(await sessions.renew('claimed', 1, at(40))).toBe(true);
    expect(await claim('claimed', 39)).toBeUndefined();
    expect(await claim('claimed', 40)).toBe(2);
    expect(await sessions.renew('claimed', 1, at(99))).toBe(false);
  });

  it('refuses writes under an older claim, or after a cancellation', async () => {
    await create('fenced');
    await claim('fenced', 1);
    const added = { addedTokens: 10, addedCost: 0.5, now: at(2) };
    await sessions.setPartial('fenced', 1, 'Hel');
    expect(await sessions.find('fenced')).toMatchObject({ partial: 'Hel' });
    expect(await sessions.append('fenced', [aMessage('ok')], added, { fence: 1 })).toMatchObject({
      totalTokens: 10,
      totalCost: 0.5,
      partial: null,
    });
    await sessions.append('fenced', [aMessage('cancelled')], { revoke: true, now: at(3) });

    expect(await sessions.append('fenced', [aMessage('late')], added, { fence: 1 })).toBeUndefined();
    expect(await sessions.append('fenced', [aMessage('late')], added, { fence: 2 })).toBeUndefined();
    expect((await sessions.listMessages('fenced')).map(({ id }) => id)).toEqual(['fenced-1', 'ok', 'cancelled']);
  });

  it('gives a lease up only where no message was written since', async () => {
    await create('released');
    await claim('released', 1);
    await sessions.append('released', [aMessage('meanwhile')], { now: at(2) });

    expect(await sessions.release('released', 1, 1)).toBe(false);
    expect(await sessions.release('released', 1, 2)).toBe(true);
    expect(await sessions.find('released')).toMatchObject({ leaseUntil: null });
  });

  it('accepts one answer to a prompt', async () => {
    await create('asked', { prompt });
    const answer = (id: string, promptId: string) =>
      sessions.append('asked', [aMessage(id)], { prompt: null, now: at(1) }, { promptId });

    expect(await answer('wrong', 'p1')).toBeUndefined();
    expect(
      (await Promise.all([answer('a', 'p%'), answer('b', 'p%')])).filter((found) => found === undefined),
    ).toHaveLength(1);
    expect(await sessions.find('asked')).toMatchObject({ prompt: null, lastSequence: 2 });
  });

  it('lists and prunes the sessions of one person, except those that a server works on', async () => {
    for (const [index, id] of ['o1', 'o2', 'o3', 'o4'].entries())
      await create(id, { ownerId: 'user:bob', updatedAt: at(index) });
    await claim('o1', 5);
    expect((await sessions.list('user:bob', { skip: 1, take: 2 })).map(({ id }) => id)).toEqual(['o3', 'o2']);
    await sessions.prune('user:bob', { most: 1, now: at(6) });

    expect(await sessions.count('user:bob')).toBe(2);
    expect((await sessions.list('user:bob', { skip: 0, take: 9 })).map(({ id }) => id)).toEqual(['o4', 'o1']);
    expect(await sessions.listMessages('o2')).toEqual([]);
  });
});
