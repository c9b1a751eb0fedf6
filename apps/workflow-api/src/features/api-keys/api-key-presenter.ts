import type { ApiKey as WireApiKey } from '@weir/workflow-contract/schemas';
import type { ApiKey } from './api-key';

export function presentApiKey(apiKey: ApiKey): WireApiKey {
  return {
    id: apiKey.id,
    name: apiKey.name,
    ...(apiKey.description === '' ? {} : { description: apiKey.description }),
    role: apiKey.role,
    workspaceAccess: apiKey.workspaceAccess,
    ...(apiKey.scopes.length === 0 ? {} : { scopes: [...apiKey.scopes] }),
    keyPrefix: apiKey.keyPrefix,
    createdAt: apiKey.createdAt.toISOString(),
    updatedAt: apiKey.updatedAt.toISOString(),
    createdBy: apiKey.createdBy,
    lastUsedAt: apiKey.lastUsedAt?.toISOString() ?? null,
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
  };
}
