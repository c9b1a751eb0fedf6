import { apiSurfaces, type ApiKey as WireApiKey } from '@weir/workflow-contract/schemas';
import type { User } from '../../access/user';
import type { ApiKey } from './api-key';

/** The name of the owner is left out where it is not known. */
export function presentApiKey(apiKey: ApiKey, owner?: Pick<User, 'username'>): WireApiKey {
  return {
    id: apiKey.id,
    name: apiKey.name,
    ...(apiKey.description === '' ? {} : { description: apiKey.description }),
    role: apiKey.role,
    workspaceAccess: apiKey.workspaceAccess,
    ...(apiKey.scopes.length === 0 ? {} : { scopes: [...apiKey.scopes] }),
    allowedSurfaces: [...(apiKey.surfaces.length === 0 ? apiSurfaces : apiKey.surfaces)],
    ...presentOwnership(apiKey, owner),
    keyPrefix: apiKey.keyPrefix,
    createdAt: apiKey.createdAt.toISOString(),
    updatedAt: apiKey.updatedAt.toISOString(),
    createdBy: apiKey.createdBy,
    lastUsedAt: apiKey.lastUsedAt?.toISOString() ?? null,
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
  };
}

function presentOwnership(
  { id, name, ownerId, serviceAccountName }: ApiKey,
  owner: Pick<User, 'username'> | undefined,
): Pick<WireApiKey, 'attributionClass' | 'ownerUserId' | 'ownerUsername' | 'serviceAccountId' | 'serviceAccountName'> {
  if (ownerId === undefined) {
    const shownName = serviceAccountName === '' ? name : serviceAccountName;
    return { attributionClass: 'service_account', serviceAccountId: `api_key:${id}`, serviceAccountName: shownName };
  }
  const known = owner === undefined ? {} : { ownerUsername: owner.username };
  return { attributionClass: 'user_owned', ownerUserId: ownerId, ...known };
}
