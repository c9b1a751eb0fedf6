import type { ConnectionAccess } from '@weir/workflow-contract/schemas';
import type { ChatClient as ClientRow, ClientConnection as ConnectionRow, Database, Prisma } from '@weir/workflow-db';
import type { ChatClient, ClientConnection, ConnectionTokens, PendingConnection } from './chat-client';

/** A connection with the chat client that it belongs to. */
export interface NamedConnection extends ClientConnection {
  readonly clientName: string;
}

/** Either holds: the code that has not been used, or the refresh token. */
export type TokenProof = { readonly codeDigest: string } | { readonly refreshDigest: string };

export interface TokenChange extends ConnectionTokens {
  readonly now: Date;
  readonly expiresAt: Date;
}

export interface ChatClientRepository {
  countClients(): Promise<number>;
  findClient(id: string): Promise<ChatClient | undefined>;
  /** Replaces one with the same id. */
  storeClient(client: ChatClient): Promise<void>;
  /** Removes clients without connections that were used before. */
  removeUnusedClients(before: Date): Promise<void>;
  findConnection(id: string): Promise<NamedConnection | undefined>;
  /** Lists the newest first; equal ones by id. Expired ones, and those whose code was not exchanged, are left out. */
  listConnections(userId: string, now: Date): Promise<readonly NamedConnection[]>;
  /** Stores the connection, and the use of its client. */
  insertConnection(connection: PendingConnection): Promise<void>;
  /** Returns whether the proof was still good: of two calls with the same one, the first. */
  replaceTokens(id: string, proof: TokenProof, change: TokenChange): Promise<boolean>;
  /** Stores the time of a use; does nothing when the connection is deleted. */
  noteUse(id: string, at: Date): Promise<void>;
  /** Returns whether the user had this connection. */
  removeConnection(userId: string, id: string): Promise<boolean>;
  removeExpired(now: Date): Promise<void>;
}

const withClient = { client: { select: { name: true } } } as const;
type NamedRow = ConnectionRow & { readonly client: { readonly name: string } };

export function createPrismaChatClientRepository({ db }: Pick<Database, 'db'>): ChatClientRepository {
  return {
    countClients: () => db.chatClient.count(),
    findClient: async (id) => {
      const row = await db.chatClient.findUnique({ where: { id } });
      return row === null ? undefined : toClient(row);
    },
    storeClient: async ({ redirectAddresses, ...client }) => {
      const data = { ...client, redirectAddresses: [...redirectAddresses] };
      await db.chatClient.upsert({ where: { id: client.id }, create: data, update: data });
    },
    removeUnusedClients: async (before) => {
      await db.chatClient.deleteMany({ where: { lastUsedAt: { lt: before }, connections: { none: {} } } });
    },
    findConnection: async (id) => {
      const row = await db.clientConnection.findUnique({ where: { id }, include: withClient });
      return row === null ? undefined : toConnection(row);
    },
    listConnections: async (userId, now) => {
      const rows = await db.clientConnection.findMany({
        where: { userId, expiresAt: { gt: now }, codeUsedAt: { not: null } },
        orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
        include: withClient,
      });
      return rows.map(toConnection);
    },
    insertConnection: async (connection) => {
      await db.clientConnection.create({ data: connection });
      await db.chatClient.updateMany({
        where: { id: connection.clientId },
        data: { lastUsedAt: connection.createdAt },
      });
    },
    replaceTokens: async (id, proof, { now, ...tokens }) => {
      const where: Prisma.ClientConnectionWhereInput =
        'codeDigest' in proof ? { codeDigest: proof.codeDigest, codeUsedAt: null } : proof;
      const data = { ...tokens, lastUsedAt: now, ...('codeDigest' in proof ? { codeUsedAt: now } : {}) };
      return (await db.clientConnection.updateMany({ where: { id, ...where }, data })).count > 0;
    },
    noteUse: async (id, at) => {
      await db.clientConnection.updateMany({ where: { id }, data: { lastUsedAt: at } });
    },
    removeConnection: async (userId, id) => (await db.clientConnection.deleteMany({ where: { id, userId } })).count > 0,
    removeExpired: async (now) => {
      await db.clientConnection.deleteMany({ where: { expiresAt: { lte: now } } });
    },
  };
}

function toClient({ id, name, redirectAddresses, createdAt, lastUsedAt }: ClientRow): ChatClient {
  // The column holds only what `insertClient` has stored.
  return { id, name, redirectAddresses: redirectAddresses as string[], createdAt, lastUsedAt };
}

function toConnection({ client, ...row }: NamedRow): NamedConnection {
  return {
    id: row.id,
    userId: row.userId,
    clientId: row.clientId,
    clientName: client.name,
    tokenVersion: row.tokenVersion,
    access: row.access as ConnectionAccess,
    resource: row.resource,
    redirectAddress: row.redirectAddress,
    codeChallenge: row.codeChallenge,
    codeDigest: row.codeDigest,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    ...(row.codeUsedAt === null ? {} : { codeUsedAt: row.codeUsedAt }),
    ...toTokens(row),
  };
}

function toTokens({ accessDigest, accessExpiresAt, refreshDigest }: ConnectionRow): Partial<ConnectionTokens> {
  if (accessDigest === null || accessExpiresAt === null || refreshDigest === null) return {};
  return { accessDigest, accessExpiresAt, refreshDigest };
}
