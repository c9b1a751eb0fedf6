import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { BrowserSession } from './browser-session';
import type { BrowserSessionRepository } from './browser-session-repository';

const at = (minute: number): Date => new Date(Date.UTC(2026, 4, 6, 7, minute));

function aSession(values: Partial<BrowserSession> & Pick<BrowserSession, 'id'>): BrowserSession {
  const digest = `digest of ${values.id}`;
  return {
    userId: 'ada',
    tokenVersion: 0,
    tokenDigest: digest,
    userAgent: 'A browser',
    address: '127.0.0.1',
    createdAt: at(0),
    lastUsedAt: at(0),
    expiresAt: at(50),
    ...values,
  };
}

describe.each(storeKinds)('browser session repository on %s', (kind) => {
  let stores: TestStoreSource;
  let sessions: BrowserSessionRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    ({ sessions } = await stores.open());
  });
  afterAll(() => stores.remove());

  it('returns what was stored', async () => {
    const session = aSession({ id: '1' });
    await sessions.insert(session);

    await expect(sessions.findByDigest(session.tokenDigest)).resolves.toEqual(session);
    await expect(sessions.findByDigest('another')).resolves.toBeUndefined();
  });

  it('lists those of the user that have not expired, newest first', async () => {
    await sessions.insert(aSession({ id: 'old' }));
    await sessions.insert(aSession({ id: 'b', createdAt: at(2) }));
    await sessions.insert(aSession({ id: 'a', createdAt: at(2) }));
    await sessions.insert(aSession({ id: 'over', expiresAt: at(10) }));
    await sessions.insert(aSession({ id: 'of another', userId: 'eve' }));

    const listed = await sessions.listOfUser('ada', at(10));
    expect(listed.map(({ id }) => id)).toEqual(['a', 'b', 'old']);
  });

  it('stores the time of a use', async () => {
    const session = aSession({ id: '1' });
    await sessions.insert(session);
    await sessions.noteUse('1', at(5));
    await sessions.noteUse('gone', at(5));

    await expect(sessions.findByDigest(session.tokenDigest)).resolves.toEqual({ ...session, lastUsedAt: at(5) });
  });

  it('removes a session only for its user, and returns whether there was one', async () => {
    const session = aSession({ id: '1' });
    await sessions.insert(session);

    await expect(sessions.remove('eve', '1')).resolves.toBe(false);
    await expect(sessions.remove('ada', '1')).resolves.toBe(true);
    await expect(sessions.remove('ada', '1')).resolves.toBe(false);
    await expect(sessions.findByDigest(session.tokenDigest)).resolves.toBeUndefined();
  });

  it('removes expired sessions', async () => {
    const [over, valid] = [aSession({ id: 'over', expiresAt: at(10) }), aSession({ id: 'valid', expiresAt: at(11) })];
    await sessions.insert(over);
    await sessions.insert(valid);
    await sessions.removeExpired(at(10));

    await expect(sessions.findByDigest(over.tokenDigest)).resolves.toBeUndefined();
    await expect(sessions.findByDigest(valid.tokenDigest)).resolves.toEqual(valid);
  });
});
