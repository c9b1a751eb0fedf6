import { z } from 'zod';

const timestamp = z.iso.datetime({ offset: true });
const maxNameLength = 253;

export const remoteNodeAuthTypes = ['none', 'basic', 'token'] as const;
const authType = z.enum(remoteNodeAuthTypes).describe('How this server signs in to the node. Default none.');
export type RemoteNodeAuthType = z.output<typeof authType>;

/** Names of nodes. This server is "local". */
export const remoteNodeName = z
  .string()
  .min(1)
  .max(maxNameLength)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._ -]*$/, 'must be letters, digits, ".", "_", "-" or spaces, not at its beginning')
  .refine((name) => name.toLowerCase() !== 'local', 'must not be "local", which is this server');

/** The address of the API of a node. */
export const remoteNodeAddress = z
  .string()
  .max(2000)
  .refine(isPlainAddress, 'must be an http or https address without credentials, query or fragment');

const credential = z
  .string()
  .max(8192)
  .regex(/^[^\r\n\0]*$/, 'must be one line');
const name = remoteNodeName.describe('Name by which requests choose it.');
const description = z.string().max(1000).describe('What it is.');
const apiBaseUrl = remoteNodeAddress.describe('Address of its API: `https://host/api/v1`.');
const credentials = {
  basicAuthUsername: credential.optional().describe('For basic; never returned.'),
  basicAuthPassword: credential.optional().describe('For basic; never returned.'),
  authToken: credential.optional().describe('For token: sent as a bearer token, and never returned.'),
};
const skipTlsVerify = z.boolean().describe('Whether the certificate of the node is not checked. Default false.');

export const CreateRemoteNodeRequest = z
  .object({
    name,
    apiBaseUrl,
    ...credentials,
    description: description.optional(),
    authType: authType.default('none'),
    skipTlsVerify: skipTlsVerify.default(false),
  })
  .meta({ id: 'CreateRemoteNodeRequest', description: 'A node to register.' });
export type CreateRemoteNodeRequest = z.output<typeof CreateRemoteNodeRequest>;

export const UpdateRemoteNodeRequest = z
  .object({
    name: name.optional(),
    description: description.optional(),
    apiBaseUrl: apiBaseUrl.optional(),
    authType: authType.optional(),
    ...credentials,
    skipTlsVerify: skipTlsVerify.optional(),
  })
  .meta({
    id: 'UpdateRemoteNodeRequest',
    description:
      'What is to be changed. Credentials that are omitted or empty stay; for another host they must be given.',
  });
export type UpdateRemoteNodeRequest = z.output<typeof UpdateRemoteNodeRequest>;

const RemoteNodeHealth = z
  .object({
    status: z.enum(['unknown', 'reachable', 'failing']).describe('As its last answer was, since this server started.'),
    checkedAt: timestamp.optional().describe('When that was.'),
    problem: z.string().optional().describe('Why it is failing.'),
  })
  .meta({ id: 'RemoteNodeHealth', description: 'Whether a node answers.' });
export type RemoteNodeHealth = z.output<typeof RemoteNodeHealth>;

export const RemoteNodeResponse = z
  .object({
    id: z.string().describe('UUID; `cfg:<name>` for a node of the configuration.'),
    name,
    apiBaseUrl,
    authType,
    skipTlsVerify,
    description: description.optional(),
    hasCredentials: z.boolean().describe('Whether this server has credentials for it.'),
    source: z.enum(['config', 'store']).describe('Where it is defined; those of the configuration cannot be changed.'),
    health: RemoteNodeHealth,
    createdAt: timestamp.optional().describe('When it was registered.'),
    updatedAt: timestamp.optional().describe('When it was changed last.'),
  })
  .meta({ id: 'RemoteNodeResponse', description: 'Another server that this one passes requests to.' });
export type RemoteNodeResponse = z.output<typeof RemoteNodeResponse>;

export const RemoteNodeListResponse = z
  .object({ remoteNodes: z.array(RemoteNodeResponse).describe('By name.') })
  .meta({ id: 'RemoteNodeListResponse', description: 'Remote nodes.' });

export const TestRemoteNodeConnectionResponse = z
  .object({
    success: z.boolean().describe('Whether the node answered a list of DAGs.'),
    message: z.string().optional().describe('What was found.'),
    error: z.string().optional().describe('Why it failed.'),
  })
  .meta({ id: 'TestRemoteNodeConnectionResponse', description: 'The outcome of a test.' });

function isPlainAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s/?#@\\][^\s?#@\\]*$/i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.host !== '' && url.username === '' && url.password === '';
}
