import type { ChatClient, ClientConnection } from './chat-client';
import type { ChatClientRepository, NamedConnection } from './chat-client-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryChatClientRepository(): ChatClientRepository {
  const clients = new Map<string, ChatClient>();
  const connections = new Map<string, ClientConnection>();
  const named = (connection: ClientConnection): NamedConnection => ({
    ...connection,
    clientName: clients.get(connection.clientId)?.name ?? '',
  });
  return {
    countClients: () => Promise.resolve(clients.size),
    findClient: (id) => Promise.resolve(clients.get(id)),
    storeClient: (client) => {
      clients.set(client.id, client);
      return Promise.resolve();
    },
    removeUnusedClients: (before) => {
      const connected = new Set([...connections.values()].map(({ clientId }) => clientId));
      for (const { id, lastUsedAt } of clients.values()) {
        if (lastUsedAt < before && !connected.has(id)) clients.delete(id);
      }
      return Promise.resolve();
    },
    findConnection: (id) => {
      const connection = connections.get(id);
      return Promise.resolve(connection && named(connection));
    },
    listConnections: (userId, now) =>
      Promise.resolve(
        [...connections.values()]
          .filter((row) => row.userId === userId && row.expiresAt > now && row.codeUsedAt !== undefined)
          .toSorted(newestFirst)
          .map(named),
      ),
    insertConnection: (connection) => {
      connections.set(connection.id, connection);
      const client = clients.get(connection.clientId);
      if (client !== undefined) clients.set(client.id, { ...client, lastUsedAt: connection.createdAt });
      return Promise.resolve();
    },
    replaceTokens: (id, proof, { now, ...tokens }) => {
      const row = connections.get(id);
      if (row === undefined) return Promise.resolve(false);
      const isGood =
        'codeDigest' in proof
          ? row.codeDigest === proof.codeDigest && row.codeUsedAt === undefined
          : row.refreshDigest === proof.refreshDigest;
      if (isGood) connections.set(id, { ...row, ...tokens, lastUsedAt: now, codeUsedAt: row.codeUsedAt ?? now });
      return Promise.resolve(isGood);
    },
    noteUse: (id, at) => {
      const row = connections.get(id);
      if (row !== undefined) connections.set(id, { ...row, lastUsedAt: at });
      return Promise.resolve();
    },
    removeConnection: (userId, id) => Promise.resolve(connections.get(id)?.userId === userId && connections.delete(id)),
    removeExpired: (now) => {
      for (const { id, expiresAt } of connections.values()) if (expiresAt <= now) connections.delete(id);
      return Promise.resolve();
    },
  };
}

function newestFirst(one: ClientConnection, other: ClientConnection): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}
