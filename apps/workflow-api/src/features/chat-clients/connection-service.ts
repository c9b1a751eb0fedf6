import { createHash } from 'node:crypto';
import { AppError } from '@weir/foundation';
import type { ConnectionAccess } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import { areas } from '@weir/workflow-contract';
import { z } from 'zod';
import type { RandomSource } from '../../adapters/random-source';
import { toUserPrincipal, type Principal } from '../../access/principal';
import type { User } from '../../access/user';
import { credentialBytes, digestCredential, formatCredential, isDigestOf, readCredential } from './chat-client';
import type { ChatClientRepository, NamedConnection, TokenProof } from './chat-client-repository';
import { isDocumentAddress, readClientDocument } from './client-document';
import { readClientRequest, type ClientRequest } from './client-request';
import type { OwnAddress } from './own-address';

const codeLifetimeMs = 60_000;
const accessLifetimeSeconds = 15 * 60;
const idleLifetimeMs = 30 * 86_400_000;
const useNotedEveryMs = 60_000;

export interface ConnectionServicePorts {
  readonly clients: ChatClientRepository;
  readonly findUser: (id: string) => Promise<User | undefined>;
  /** Fetches the description of a chat client; throws `client_unknown`. */
  readonly fetchDocument: (address: string) => Promise<unknown>;
  readonly ownAddress: Pick<OwnAddress, 'isOwnResource'>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The answer of the token endpoint. */
export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: ConnectionAccess;
}

const text = z.string().max(512);
export const TokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    client_id: text,
    code: text,
    redirect_uri: text,
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
    resource: text.optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: text,
    refresh_token: text,
    resource: text.optional(),
  }),
]);
export type TokenRequest = z.output<typeof TokenRequest>;

export const RevocationRequest = z.object({ token: text });

/** Is told of a connection that ended because one of its codes or tokens was presented twice, or by somebody else. */
export type OnLeak = (connection: NamedConnection, user: User | undefined) => Promise<void>;

export type ConnectionService = ReturnType<typeof createConnectionService>;

export function createConnectionService(ports: ConnectionServicePorts) {
  const { clients, findUser, fetchDocument, ownAddress, clock, random } = ports;
  const now = (): number => clock.now().getTime();

  /** Returns the user whose connection it is, as long as its rights last. */
  const findOwner = async ({ userId, tokenVersion, resource, expiresAt }: NamedConnection) => {
    const user = await findUser(userId);
    const isOver = user === undefined || user.isDisabled || user.tokenVersion !== tokenVersion;
    return isOver || expiresAt <= clock.now() || !ownAddress.isOwnResource(resource) ? undefined : user;
  };

  const end = ({ userId, id }: NamedConnection): Promise<boolean> => clients.removeConnection(userId, id);

  const issue = async (
    { id, access }: NamedConnection,
    codeSecret: Uint8Array,
    proof: TokenProof,
  ): Promise<IssuedTokens | undefined> => {
    const accessToken = formatCredential('access', id, random.bytes(credentialBytes));
    // The secret of the code comes first in each refresh token: one that was replaced long ago differs from one that is made up.
    const refreshSecret = Buffer.concat([codeSecret, random.bytes(credentialBytes)]);
    const refreshToken = formatCredential('refresh', id, refreshSecret);
    const isReplaced = await clients.replaceTokens(id, proof, {
      accessDigest: digestCredential(accessToken),
      accessExpiresAt: new Date(now() + accessLifetimeSeconds * 1000),
      refreshDigest: digestCredential(refreshToken),
      expiresAt: new Date(now() + idleLifetimeMs),
      now: clock.now(),
    });
    if (!isReplaced) return undefined;
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: accessLifetimeSeconds,
      refresh_token: refreshToken,
      scope: access,
    };
  };

  return {
    readRequest: (query: string, issuer: string): Promise<ClientRequest> =>
      readClientRequest(query, issuer, async (id) =>
        isDocumentAddress(id) ? readClientDocument(id, await fetchDocument(id), clock.now()) : clients.findClient(id),
      ),

    /** Stores the consent of a person; returns the code for the chat client. */
    async connect(request: ClientRequest, user: User, access: ConnectionAccess) {
      const id = random.uuid();
      const code = formatCredential('code', id, random.bytes(credentialBytes));
      await clients.removeExpired(clock.now());
      if (isDocumentAddress(request.client.id)) await clients.storeClient(request.client);
      await clients.insertConnection({
        id,
        userId: user.id,
        clientId: request.client.id,
        tokenVersion: user.tokenVersion,
        access,
        resource: request.resource,
        redirectAddress: request.redirectAddress,
        codeChallenge: request.codeChallenge,
        codeDigest: digestCredential(code),
        createdAt: clock.now(),
        lastUsedAt: clock.now(),
        expiresAt: new Date(now() + codeLifetimeMs),
      });
      return { id, code };
    },

    /**
     * Exchanges a code or a refresh token, each of which is good once. Throws `invalid_grant` and `invalid_target`. A good one in wrong hands,
     * or a second time, has leaked: then the connection ends.
     */
    async exchange(request: TokenRequest, onLeak: OnLeak): Promise<IssuedTokens> {
      const isCode = request.grant_type === 'authorization_code';
      const credential = isCode ? request.code : request.refresh_token;
      const read = readCredential(isCode ? 'code' : 'refresh', credential);
      const connection = read && (await clients.findConnection(read.connectionId));
      if (read === undefined || connection === undefined) throw grantInvalid();
      const codeSecret = read.secret.subarray(0, credentialBytes);
      const isIssued = isDigestOf(connection.codeDigest, formatCredential('code', connection.id, codeSecret));
      // The id of a connection is no secret: whoever has only that must not end it.
      if (!isIssued) throw grantInvalid();
      const digest = digestCredential(credential);
      const isStale = isCode ? connection.codeUsedAt !== undefined : !isDigestOf(connection.refreshDigest, credential);
      const owner = await findOwner(connection);
      const leaked = async (): Promise<AppError> => {
        if (await end(connection)) await onLeak(connection, owner);
        return grantInvalid();
      };
      if (isStale || !isHolder(connection, request)) throw await leaked();
      if (owner === undefined) throw grantInvalid();
      if ((request.resource ?? connection.resource) !== connection.resource) throw targetInvalid();
      const issued = await issue(connection, codeSecret, isCode ? { codeDigest: digest } : { refreshDigest: digest });
      if (issued === undefined) throw await leaked();
      return issued;
    },

    /** Ends the connection of a token; another text says nothing. */
    async revoke(token: string): Promise<void> {
      const read = readCredential('access', token) ?? readCredential('refresh', token);
      const connection = read && (await clients.findConnection(read.connectionId));
      if (connection === undefined) return;
      const { accessDigest, refreshDigest } = connection;
      if (isDigestOf(accessDigest, token) || isDigestOf(refreshDigest, token)) await end(connection);
    },

    /** Returns the principal of an access token: a user who reaches nothing but the tools. */
    async authenticate(token: string): Promise<Principal | undefined> {
      const read = readCredential('access', token);
      const connection = read && (await clients.findConnection(read.connectionId));
      if (connection?.accessExpiresAt === undefined || connection.accessExpiresAt <= clock.now()) return undefined;
      if (!isDigestOf(connection.accessDigest, token)) return undefined;
      const user = await findOwner(connection);
      if (user === undefined) return undefined;
      // Storing every use would make each read a write.
      if (now() - connection.lastUsedAt.getTime() >= useNotedEveryMs) await clients.noteUse(connection.id, clock.now());
      return {
        ...toUserPrincipal(user),
        surfaces: ['mcp'],
        // Even all areas leave out what changes users and keys.
        scopes: connection.access === 'read' ? ['read'] : areas,
      };
    },

    async list({ id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>): Promise<readonly NamedConnection[]> {
      const connections = await clients.listConnections(id, clock.now());
      return connections.filter((connection) => connection.tokenVersion === tokenVersion);
    },

    /** Throws `connection_not_found`. */
    async disconnect(userId: string, id: string): Promise<void> {
      if (await clients.removeConnection(userId, id)) return;
      throw new AppError('not_found', `There is no connection "${id}".`, { reason: 'connection_not_found' });
    },
  };
}

/** Whether the request is that of the chat client to which the code was sent. */
function isHolder(connection: NamedConnection, request: TokenRequest): boolean {
  const { clientId, redirectAddress, codeChallenge } = connection;
  if (request.client_id !== clientId) return false;
  if (request.grant_type === 'refresh_token') return true;
  const challenge = createHash('sha256').update(request.code_verifier).digest('base64url');
  return request.redirect_uri === redirectAddress && challenge === codeChallenge;
}

function targetInvalid(): AppError {
  return new AppError('invalid_request', 'The token is for another resource.', { reason: 'invalid_target' });
}

function grantInvalid(): AppError {
  const message = 'The code or token is not valid, has ended, was used before, or belongs to another request.';
  return new AppError('invalid_request', message, { reason: 'invalid_grant' });
}
