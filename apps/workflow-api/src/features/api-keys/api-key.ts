import { createHash } from 'node:crypto';
import type { UserRole, WorkspaceAccess } from '@weir/workflow-contract';
import type { ApiSurface } from '@weir/workflow-contract/schemas';
import { base58 } from '../../adapters/base58';

/** A credential for programs. Only a digest of the key is stored. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly role: UserRole;
  readonly workspaceAccess: WorkspaceAccess;
  /** Areas and ids of operations; empty where the key has all rights of its role. */
  readonly scopes: readonly string[];
  /** Where the key is accepted; empty for everywhere. */
  readonly surfaces: readonly ApiSurface[];
  /** The user whose work the calls are, and whose rights limit the key; missing for a service account. */
  readonly ownerId: string | undefined;
  /** The name by which calls of a service account are recorded; empty for the name of the key. */
  readonly serviceAccountName: string;
  /** The first 8 characters of the key. */
  readonly keyPrefix: string;
  readonly keyDigest: string;
  /** Id of the principal that created the key. */
  readonly createdBy: string;
  readonly expiresAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const mark = 'weir_';
export const keyBytes = 32;
const prefixLength = 8;
const maxKeyLength = 64;

export function formatKey(bytes: Uint8Array): string {
  return `${mark}${base58.encode(bytes)}`;
}

export function getKeyPrefix(key: string): string {
  return key.slice(0, prefixLength);
}

/** Whether a bearer value can be an API key at all. */
export function looksLikeKey(value: string): boolean {
  return value.startsWith(mark) && value.length <= maxKeyLength;
}

/** A plain digest is enough: the key holds 256 random bits, so it cannot be guessed. */
export function digestKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
