import { randomBytes } from 'node:crypto';
import { digestKey, formatKey, keyBytes, getKeyPrefix, type ApiKey } from '../features/api-keys/api-key';
import type { User } from '../access/user';

const moment = new Date('2026-01-02T03:04:05.678Z');

export function aUser(values: Partial<User> = {}): User {
  return {
    id: 'user-1',
    username: values.id ?? 'ada',
    passwordHash: 'hash',
    authProvider: 'builtin',
    externalId: undefined,
    role: 'admin',
    workspaceAccess: { all: true, grants: [] },
    isDisabled: false,
    tokenVersion: 0,
    createdAt: moment,
    updatedAt: moment,
    ...values,
  };
}

export function anApiKey(values: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key-1',
    name: values.id ?? 'deploy',
    description: '',
    role: 'operator',
    workspaceAccess: { all: true, grants: [] },
    scopes: [],
    surfaces: [],
    ownerId: undefined,
    serviceAccountName: '',
    keyPrefix: 'weir_abc',
    keyDigest: `digest of ${values.id ?? 'key-1'}`,
    createdBy: 'user-1',
    expiresAt: undefined,
    lastUsedAt: undefined,
    createdAt: moment,
    updatedAt: moment,
    ...values,
  };
}

/** Creates a key that can be presented, with its record. */
export function aKeyPair(values: Partial<ApiKey> = {}): { readonly apiKey: ApiKey; readonly key: string } {
  const key = formatKey(randomBytes(keyBytes));
  return { key, apiKey: anApiKey({ keyPrefix: getKeyPrefix(key), keyDigest: digestKey(key), ...values }) };
}
