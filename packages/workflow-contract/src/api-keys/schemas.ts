import { z } from 'zod';
import { UserRole } from '../common/roles';
import { WorkspaceAccess } from '../common/workspace-access';

const timestamp = z.iso.datetime({ offset: true });
const name = z.string().trim().min(1).max(100);
const description = z.string().max(500);
const scopes = z.array(z.string().min(1).max(64).regex(/^\w+$/)).max(200);
const whatScopesAre =
  'What the key is limited to, within its role: "read", "run", "write", "manage", or ids of operations. Operations that change users and keys are in none.';

export const ApiKey = z
  .object({
    id: z.string().describe('UUID.'),
    name: z.string().describe('Unique name.'),
    description: z.string().optional().describe('Purpose of the key.'),
    role: UserRole,
    workspaceAccess: WorkspaceAccess,
    scopes: z.array(z.string()).optional().describe(`${whatScopesAre} Absent without a limit.`),
    keyPrefix: z.string().describe('The first 8 characters of the key.'),
    createdAt: timestamp.describe('When the key was created.'),
    updatedAt: timestamp.describe('When the key was last changed.'),
    createdBy: z.string().describe('Id of the user who created the key.'),
    lastUsedAt: timestamp.nullable().describe('When the key was last used, to the minute; null before its first use.'),
    expiresAt: timestamp.nullable().describe('When the key expires; null for never.'),
  })
  .meta({
    id: 'APIKey',
    description: 'A credential for programs. The key itself is returned only once, when it is created.',
  });
export type ApiKey = z.output<typeof ApiKey>;

export const ApiKeyResponse = z.object({ apiKey: ApiKey }).meta({ id: 'APIKeyResponse', description: 'One API key.' });

export const ApiKeysListResponse = z
  .object({ apiKeys: z.array(ApiKey).describe('Ordered by name.') })
  .meta({ id: 'APIKeysListResponse', description: 'All API keys.' });

export const CreateApiKeyRequest = z
  .object({
    name: name.describe('Unique name: 1 to 100 characters.'),
    description: description.optional().describe('Purpose of the key.'),
    role: UserRole,
    workspaceAccess: WorkspaceAccess.optional(),
    scopes: scopes.min(1).optional().describe(`${whatScopesAre} Omitted without a limit.`),
    expiresAt: timestamp.optional().describe('When the key expires; omitted for never.'),
  })
  .meta({ id: 'CreateAPIKeyRequest', description: 'A new API key.' });
export type CreateApiKeyRequest = z.output<typeof CreateApiKeyRequest>;

export const CreateApiKeyResponse = z
  .object({ apiKey: ApiKey, key: z.string().describe('The key, returned only once.') })
  .meta({ id: 'CreateAPIKeyResponse', description: 'The new API key.' });

export const UpdateApiKeyRequest = z
  .object({
    name: name.optional().describe('New unique name.'),
    description: description.optional().describe('Purpose of the key.'),
    role: UserRole.optional(),
    workspaceAccess: WorkspaceAccess.optional(),
    scopes: scopes.optional().describe(`${whatScopesAre} An empty list removes the limit.`),
    expiresAt: timestamp.nullable().optional().describe('When the key expires; null for never.'),
  })
  .meta({ id: 'UpdateAPIKeyRequest', description: 'The fields to change; omitted fields are not changed.' });
export type UpdateApiKeyRequest = z.output<typeof UpdateApiKeyRequest>;
