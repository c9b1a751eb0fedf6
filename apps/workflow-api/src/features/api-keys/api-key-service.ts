import { timingSafeEqual } from 'node:crypto';
import { everyWorkspace, workspaceAccessProblem } from '@weir/workflow-contract';
import type { CreateApiKeyRequest, UpdateApiKeyRequest } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { AuditedOperation, Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import { assertScopesKnown } from '../../access/scopes';
import { workspaceAccessInvalid } from '../users';
import { digestKey, formatKey, keyBytes, looksLikeKey, getKeyPrefix, type ApiKey } from './api-key';
import { apiKeyNotFound, expiryInPast, expiryTooFar } from './api-key-errors';
import type { ApiKeyChanges, ApiKeyRepository } from './api-key-repository';

export interface ApiKeyServiceOptions {
  readonly apiKeys: ApiKeyRepository;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

const useNotedEveryMs = 60_000;
const maxYear = 9999;

export function createApiKeyService({ apiKeys, clock, random }: ApiKeyServiceOptions) {
  return {
    list: () => apiKeys.list(),

    get: (id: string) => existing(apiKeys, id),

    /** Returns the new key with its record; the key cannot be read again. */
    async create(
      request: CreateApiKeyRequest,
      { principal, audit }: Requester,
    ): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
      const { name, description = '', role, workspaceAccess = everyWorkspace, scopes = [] } = request;
      assertAccess({ role, workspaceAccess });
      assertScopesKnown(scopes);
      const now = clock.now();
      const expiresAt = request.expiresAt === undefined ? undefined : futureDate(request.expiresAt, now);
      const key = formatKey(random.bytes(keyBytes));
      const apiKey: ApiKey = {
        id: random.uuid(),
        name,
        description,
        role,
        workspaceAccess,
        scopes: [...new Set(scopes)],
        keyPrefix: getKeyPrefix(key),
        keyDigest: digestKey(key),
        createdBy: principal.id,
        expiresAt,
        lastUsedAt: undefined,
        createdAt: now,
        updatedAt: now,
      };
      await apiKeys.insert(apiKey, audit);
      return { apiKey, key };
    },

    update(id: string, request: UpdateApiKeyRequest, audit: AuditedOperation): Promise<ApiKey> {
      const change = (present: ApiKey): ApiKeyChanges => {
        const { role = present.role, workspaceAccess = present.workspaceAccess } = request;
        assertAccess({ role, workspaceAccess });
        assertScopesKnown(request.scopes ?? []);
        return toChanges(request, clock.now());
      };
      return apiKeys.update(id, change, audit);
    },

    /** Replaces the key by a new one, which cannot be read again; the old key is invalid from then on. */
    async rotate(id: string, audit: AuditedOperation): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
      const key = formatKey(random.bytes(keyBytes));
      const replaced = { keyPrefix: getKeyPrefix(key), keyDigest: digestKey(key), lastUsedAt: undefined };
      const change = (): ApiKeyChanges => ({ ...replaced, updatedAt: clock.now() });
      return { apiKey: await apiKeys.update(id, change, audit), key };
    },

    remove: (id: string, audit: AuditedOperation) => apiKeys.remove(id, audit),

    /** Returns the principal of a key, or `undefined` when the key is unknown, revoked or expired. */
    async authenticate(key: string): Promise<Principal | undefined> {
      if (!looksLikeKey(key)) return undefined;
      const digest = digestKey(key);
      const apiKey = await apiKeys.findByDigest(digest);
      if (apiKey === undefined || !timingSafeEqual(Buffer.from(apiKey.keyDigest), Buffer.from(digest)))
        return undefined;
      const now = clock.now();
      if (apiKey.expiresAt !== undefined && apiKey.expiresAt <= now) return undefined;
      if (isUseDue(apiKey, now)) await apiKeys.noteUse(apiKey.id, now);
      return principalOfApiKey(apiKey);
    },
  };
}

function principalOfApiKey({ id, name, role, workspaceAccess, scopes }: ApiKey): Principal {
  const limit = scopes.length === 0 ? {} : { scopes };
  return { kind: 'api-key', id: `apikey:${id}`, name: `apikey:${name}`, role, workspaceAccess, ...limit };
}

/** Uses are stored at intervals, because storing every use would make each read a write. */
function isUseDue({ lastUsedAt }: ApiKey, now: Date): boolean {
  return lastUsedAt === undefined || now.getTime() - lastUsedAt.getTime() >= useNotedEveryMs;
}

async function existing(apiKeys: Pick<ApiKeyRepository, 'findById'>, id: string): Promise<ApiKey> {
  const apiKey = await apiKeys.findById(id);
  if (apiKey === undefined) throw apiKeyNotFound(id);
  return apiKey;
}

function toChanges(request: UpdateApiKeyRequest, now: Date): ApiKeyChanges {
  const { name, description, role, workspaceAccess, scopes, expiresAt } = request;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(role === undefined ? {} : { role }),
    ...(workspaceAccess === undefined ? {} : { workspaceAccess }),
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? undefined : futureDate(expiresAt, now) }),
    updatedAt: now,
  };
}

function futureDate(text: string, now: Date): Date {
  const date = new Date(text);
  if (!(date > now)) throw expiryInPast();
  // An offset can carry the last day of 9999 over; the date format of the answers has no longer years.
  if (date.getUTCFullYear() > maxYear) throw expiryTooFar();
  return date;
}

function assertAccess({ role, workspaceAccess }: Pick<ApiKey, 'role' | 'workspaceAccess'>): void {
  const problem = workspaceAccessProblem(role, workspaceAccess);
  if (problem !== undefined) throw workspaceAccessInvalid(problem);
}
