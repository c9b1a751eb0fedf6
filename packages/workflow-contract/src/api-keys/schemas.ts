import { z } from 'zod';
import { UserRole } from '../common/roles';
import { WorkspaceAccess } from '../common/workspace-access';

const timestamp = z.iso.datetime({ offset: true });
const name = z.string().trim().min(1).max(100);
const description = z.string().max(500);
const scopes = z.array(z.string().min(1).max(64).regex(/^\w+$/)).max(200);
/** Where an API key can be accepted. */
export const apiSurfaces = ['rest_api', 'mcp'] as const;
export type ApiSurface = (typeof apiSurfaces)[number];
const surfaces = z
  .array(z.enum(apiSurfaces))
  .min(1)
  .refine((list) => new Set(list).size === list.length, 'A surface is named twice.')
  .describe('Where the key is accepted: the API, the Model Context Protocol, or both.');
const attributionClass = z
  .enum(['service_account', 'user_owned'])
  .describe(
    'Whose work the calls are. A key that is "user_owned" has at most the rights that its owner has at the time, and is refused while the owner is disabled or deleted.',
  );
const ownerUserId = z.string().min(1).max(64);
const serviceAccountName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('The name by which calls of a "service_account" are recorded.');
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
    allowedSurfaces: surfaces,
    attributionClass,
    ownerUserId: z.string().optional().describe('Id of the owner of a key that is "user_owned".'),
    ownerUsername: z.string().optional().describe('Name of the owner; absent when the owner was deleted.'),
    serviceAccountId: z.string().optional().describe('"api_key:" and the id of a key that is a "service_account".'),
    serviceAccountName: z.string().optional().describe('The name by which calls of a "service_account" are recorded.'),
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
    allowedSurfaces: surfaces.optional().describe('Where the key is accepted: "rest_api", "mcp". Default: both.'),
    attributionClass: attributionClass.default('service_account'),
    ownerUserId: ownerUserId
      .optional()
      .describe('Id of the enabled user who owns a key that is "user_owned". Default: the caller.'),
    serviceAccountName: serviceAccountName
      .optional()
      .describe('The name by which calls of a "service_account" are recorded. Default: the name of the key.'),
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
    allowedSurfaces: surfaces.optional(),
    attributionClass: attributionClass.optional(),
    ownerUserId: ownerUserId.optional().describe('Id of the enabled user who owns a key that is "user_owned".'),
    serviceAccountName: serviceAccountName.optional(),
    expiresAt: timestamp.nullable().optional().describe('When the key expires; null for never.'),
  })
  .meta({ id: 'UpdateAPIKeyRequest', description: 'The fields to change; omitted fields are not changed.' });
export type UpdateApiKeyRequest = z.output<typeof UpdateApiKeyRequest>;
