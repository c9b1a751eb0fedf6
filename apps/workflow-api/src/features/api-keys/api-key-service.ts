import { timingSafeEqual } from 'node:crypto';
import { everyWorkspace, workspaceAccessProblem } from '@weir/workflow-contract';
import {
  apiSurfaces,
  type ApiSurface,
  type CreateApiKeyRequest,
  type UpdateApiKeyRequest,
} from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { AuditedOperation, Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import { commonRights } from '../../access/access-rules';
import { assertScopesKnown } from '../../access/scopes';
import type { User } from '../../access/user';
import { workspaceAccessInvalid } from '../users';
import { digestKey, formatKey, keyBytes, looksLikeKey, getKeyPrefix, type ApiKey } from './api-key';
import { apiKeyNotFound, expiryInPast, expiryTooFar, keyOwnerInvalid } from './api-key-errors';
import type { ApiKeyChanges, ApiKeyRepository } from './api-key-repository';

export interface ApiKeyServiceOptions {
  readonly apiKeys: ApiKeyRepository;
  readonly findUser: (id: string) => Promise<User | undefined>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** A key with its owner, who is missing for a service account, and where the user was deleted. */
export interface OwnedApiKey {
  readonly apiKey: ApiKey;
  readonly owner: User | undefined;
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

const useNotedEveryMs = 60_000;
const maxYear = 9999;

export function createApiKeyService({ apiKeys, findUser, clock, random }: ApiKeyServiceOptions) {
  const withOwner = async (apiKey: ApiKey): Promise<OwnedApiKey> => ({
    apiKey,
    owner: apiKey.ownerId === undefined ? undefined : await findUser(apiKey.ownerId),
  });
  const assertOwner = async (id: string | undefined): Promise<void> => {
    if (id === undefined) return;
    const owner = await findUser(id);
    if (owner === undefined || owner.isDisabled) throw keyOwnerInvalid(`There is no enabled user with the id "${id}".`);
  };
  return {
    list: async () => Promise.all((await apiKeys.list()).map(withOwner)),

    get: async (id: string) => withOwner(await existing(apiKeys, id)),

    /** Returns the new key with its record; the key cannot be read again. */
    async create(
      request: CreateApiKeyRequest,
      { principal, audit }: Requester,
    ): Promise<OwnedApiKey & { readonly key: string }> {
      const { name, description = '', role, workspaceAccess = everyWorkspace, scopes = [] } = request;
      assertAccess({ role, workspaceAccess });
      assertScopesKnown(scopes);
      const callerId = principal.kind === 'user' ? principal.id : undefined;
      const { ownerId, serviceAccountName = '' } = ownership({ ownerId: undefined }, request, callerId);
      await assertOwner(ownerId);
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
        surfaces: toSurfaces(request.allowedSurfaces),
        ownerId,
        serviceAccountName,
        keyPrefix: getKeyPrefix(key),
        keyDigest: digestKey(key),
        createdBy: principal.id,
        expiresAt,
        lastUsedAt: undefined,
        createdAt: now,
        updatedAt: now,
      };
      await apiKeys.insert(apiKey, audit);
      return { ...(await withOwner(apiKey)), key };
    },

    async update(id: string, request: UpdateApiKeyRequest, audit: AuditedOperation): Promise<OwnedApiKey> {
      const change = (present: ApiKey): ApiKeyChanges => {
        const { role = present.role, workspaceAccess = present.workspaceAccess } = request;
        assertAccess({ role, workspaceAccess });
        assertScopesKnown(request.scopes ?? []);
        return { ...toChanges(request, clock.now()), ...ownership(present, request) };
      };
      await assertOwner(request.ownerUserId);
      return withOwner(await apiKeys.update(id, change, audit));
    },

    /** Replaces the key by a new one, which cannot be read again; the old key is invalid from then on. */
    async rotate(id: string, audit: AuditedOperation): Promise<OwnedApiKey & { readonly key: string }> {
      const key = formatKey(random.bytes(keyBytes));
      const replaced = { keyPrefix: getKeyPrefix(key), keyDigest: digestKey(key), lastUsedAt: undefined };
      const change = (): ApiKeyChanges => ({ ...replaced, updatedAt: clock.now() });
      return { ...(await withOwner(await apiKeys.update(id, change, audit))), key };
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
      const { owner } = await withOwner(apiKey);
      if (apiKey.ownerId !== undefined && (owner === undefined || owner.isDisabled)) return undefined;
      if (isUseDue(apiKey, now)) await apiKeys.noteUse(apiKey.id, now);
      return principalOfApiKey({ apiKey, owner });
    },
  };
}

function principalOfApiKey({ apiKey, owner }: OwnedApiKey): Principal {
  const { id, name, scopes, surfaces, serviceAccountName } = apiKey;
  const { role, workspaceAccess } = owner === undefined ? apiKey : commonRights(apiKey, owner);
  return {
    kind: 'api-key',
    id: `apikey:${id}`,
    name: owner?.username ?? `apikey:${serviceAccountName === '' ? name : serviceAccountName}`,
    role,
    workspaceAccess,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(surfaces.length === 0 ? {} : { surfaces }),
    ...(owner === undefined ? {} : { ownerId: owner.id }),
  };
}

/**
 * Whose work the calls are after the request. Throws `key_owner_invalid` for an owner without the class `user_owned`,
 * and the reverse.
 */
function ownership(
  present: Pick<ApiKey, 'ownerId'>,
  { attributionClass, ownerUserId, serviceAccountName }: Omit<UpdateApiKeyRequest, 'name'>,
  callerId?: string,
): Pick<ApiKeyChanges, 'ownerId' | 'serviceAccountName'> {
  const isOwned = attributionClass === undefined ? present.ownerId !== undefined : attributionClass === 'user_owned';
  if (isOwned && serviceAccountName !== undefined)
    throw keyOwnerInvalid('A key that is "user_owned" has no serviceAccountName.');
  if (!isOwned && ownerUserId !== undefined) throw keyOwnerInvalid('A key with an owner has to be "user_owned".');
  if (!isOwned) return { ownerId: undefined, ...(serviceAccountName === undefined ? {} : { serviceAccountName }) };
  const ownerId = ownerUserId ?? present.ownerId ?? callerId;
  if (ownerId === undefined) throw keyOwnerInvalid('A key that is "user_owned" needs the field ownerUserId.');
  return { ownerId, serviceAccountName: '' };
}

/** Both surfaces are no limit. */
function toSurfaces(allowed: readonly ApiSurface[] = apiSurfaces): readonly ApiSurface[] {
  return allowed.length === apiSurfaces.length ? [] : allowed;
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
  const { name, description, role, workspaceAccess, scopes, allowedSurfaces, expiresAt } = request;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(role === undefined ? {} : { role }),
    ...(workspaceAccess === undefined ? {} : { workspaceAccess }),
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(allowedSurfaces === undefined ? {} : { surfaces: toSurfaces(allowedSurfaces) }),
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
