import { aUser } from '../../testing/identity-builders';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { ChatClient, PendingConnection } from './chat-client';
import type { ChatClientRepository } from './chat-client-repository';

const at = (minute: number): Date => new Date(Date.UTC(2026, 4, 6, 7, minute));

function aClient(values: Partial<ChatClient> & Pick<ChatClient, 'id'>): ChatClient {
  return { name: 'Chat', redirectAddresses: ['http://127.0.0.1/'], createdAt: at(0), lastUsedAt: at(0), ...values };
}

function aConnection(values: Partial<PendingConnection> & Pick<PendingConnection, 'id'>): PendingConnection {
  return {
    userId: 'ada',
    clientId: 'chat',
    tokenVersion: 0,
    access: 'read',
    resource: 'https://weir.example.com/mcp',
    redirectAddress: 'http://127.0.0.1:7/',
    codeChallenge: 'challenge',
    codeDigest: `code of ${values.id}`,
    createdAt: at(1),
    lastUsedAt: at(1),
    expiresAt: at(50),
    ...values,
  };
}

const tokens = { accessDigest: 'a1', accessExpiresAt: at(20), refreshDigest: 'r1' };

describe.each(storeKinds)('chat client repository on %s', (kind) => {
  let stores: TestStoreSource;
  let clients: ChatClientRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    const opened = await stores.open();
    clients = opened.chatClients;
    await opened.users.insert(aUser({ id: 'ada', username: 'ada' }));
    await opened.users.insert(aUser({ id: 'eve', username: 'eve' }));
    await clients.storeClient(aClient({ id: 'chat' }));
  });
  afterAll(() => stores.remove());

  it('returns a client as it was stored, and its latest use', async () => {
    await expect(clients.findClient('chat')).resolves.toEqual(aClient({ id: 'chat' }));
    await clients.insertConnection(aConnection({ id: '1' }));
    await expect(clients.findClient('chat')).resolves.toEqual(aClient({ id: 'chat', lastUsedAt: at(1) }));
    await expect(clients.findClient('nobody')).resolves.toBeUndefined();
    await expect(clients.countClients()).resolves.toBe(1);
  });

  it('replaces a client, and leaves its connections alone', async () => {
    await clients.insertConnection(aConnection({ id: '1' }));
    await clients.storeClient(aClient({ id: 'chat', name: 'Renamed' }));
    await expect(clients.findConnection('1')).resolves.toMatchObject({ clientName: 'Renamed' });
  });

  it('removes the clients that are unused and have no connection', async () => {
    await clients.storeClient(aClient({ id: 'old' }));
    await clients.storeClient(aClient({ id: 'new', lastUsedAt: at(40) }));
    await clients.insertConnection(aConnection({ id: '1' }));
    await clients.removeUnusedClients(at(40));

    await expect(clients.findClient('old')).resolves.toBeUndefined();
    await expect(clients.countClients()).resolves.toBe(2);
  });

  it('returns a connection as it was stored, with the name of its client', async () => {
    await clients.insertConnection(aConnection({ id: '1' }));
    await expect(clients.findConnection('1')).resolves.toEqual({ ...aConnection({ id: '1' }), clientName: 'Chat' });
    await expect(clients.findConnection('2')).resolves.toBeUndefined();
  });

  it('gives tokens for a code once', async () => {
    await clients.insertConnection(aConnection({ id: '1' }));
    const exchange = (codeDigest: string) =>
      clients.replaceTokens('1', { codeDigest }, { ...tokens, expiresAt: at(55), now: at(2) });

    await expect(exchange('another')).resolves.toBe(false);
    await expect(exchange('code of 1')).resolves.toBe(true);
    await expect(exchange('code of 1')).resolves.toBe(false);
    await expect(clients.findConnection('1')).resolves.toEqual({
      ...aConnection({ id: '1', lastUsedAt: at(2), expiresAt: at(55) }),
      ...tokens,
      codeUsedAt: at(2),
      clientName: 'Chat',
    });
  });

  it('gives tokens for a refresh token once', async () => {
    await clients.insertConnection(aConnection({ id: '1' }));
    await clients.replaceTokens('1', { codeDigest: 'code of 1' }, { ...tokens, expiresAt: at(55), now: at(2) });
    const refresh = () =>
      clients.replaceTokens(
        '1',
        { refreshDigest: 'r1' },
        { ...tokens, refreshDigest: 'r2', expiresAt: at(56), now: at(3) },
      );

    await expect(refresh()).resolves.toBe(true);
    await expect(refresh()).resolves.toBe(false);
    await expect(clients.findConnection('1')).resolves.toMatchObject({ refreshDigest: 'r2', codeUsedAt: at(2) });
  });

  it('lists the connections of the user that have tokens and have not expired, newest first', async () => {
    const connect = async (values: Partial<PendingConnection> & Pick<PendingConnection, 'id'>) => {
      await clients.insertConnection(aConnection(values));
      const { expiresAt } = aConnection(values);
      await clients.replaceTokens(
        values.id,
        { codeDigest: `code of ${values.id}` },
        { ...tokens, expiresAt, now: at(2) },
      );
    };
    await connect({ id: 'old' });
    await connect({ id: 'b', createdAt: at(2) });
    await connect({ id: 'a', createdAt: at(2) });
    await connect({ id: 'over', expiresAt: at(10) });
    await connect({ id: 'of another', userId: 'eve' });
    await clients.insertConnection(aConnection({ id: 'pending' }));

    const listed = await clients.listConnections('ada', at(10));
    expect(listed.map(({ id }) => id)).toEqual(['a', 'b', 'old']);
  });

  it('stores the time of a use', async () => {
    await clients.insertConnection(aConnection({ id: '1' }));
    await clients.noteUse('1', at(5));
    await clients.noteUse('gone', at(5));
    await expect(clients.findConnection('1')).resolves.toMatchObject({ lastUsedAt: at(5) });
  });

  it('removes a connection only for its user, and returns whether there was one', async () => {
    await clients.insertConnection(aConnection({ id: '1' }));
    await expect(clients.removeConnection('eve', '1')).resolves.toBe(false);
    await expect(clients.removeConnection('ada', '1')).resolves.toBe(true);
    await expect(clients.removeConnection('ada', '1')).resolves.toBe(false);
  });

  it('removes expired connections', async () => {
    await clients.insertConnection(aConnection({ id: 'over', expiresAt: at(10) }));
    await clients.insertConnection(aConnection({ id: 'valid', expiresAt: at(11) }));
    await clients.removeExpired(at(10));

    await expect(clients.findConnection('over')).resolves.toBeUndefined();
    await expect(clients.findConnection('valid')).resolves.toBeDefined();
  });
});
