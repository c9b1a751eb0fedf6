import { z } from 'zod';

const timestamp = z.iso.datetime({ offset: true });

/** The maximum size of a value, in bytes of UTF-8. */
export const maxSecretBytes = 65_536;

const value = z.string().min(1).max(maxSecretBytes);
const description = z.string().max(1000);

export const secretRef = z
  .string()
  .max(200)
  .regex(/^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/, 'must be lower-case words with "-", separated by "/"');

const SecretStatus = z
  .enum(['active', 'disabled'])
  .meta({ id: 'SecretStatus', description: 'Whether steps get the secret.' });

export const SecretResponse = z
  .object({
    id: z.string().describe('UUID.'),
    workspace: z.string().describe('Name of the workspace; "global" for one that all workspaces share.'),
    ref: z.string().describe('The name by which DAGs use it.'),
    description: z.string().optional().describe('Purpose of the secret.'),
    providerType: z.literal('dagu-managed').describe('Where the value is: in the store of this server.'),
    currentVersion: z.int().describe('Number of the newest value; 0 before the first one.'),
    status: SecretStatus,
    hasValue: z.boolean().describe('Whether there is a value.'),
    createdAt: timestamp.describe('When the secret was created.'),
    updatedAt: timestamp.describe('When anything of it was changed.'),
    lastResolvedAt: timestamp.optional().describe('When a run used it last, to the minute.'),
    lastRotatedAt: timestamp.optional().describe('When it got its newest value.'),
  })
  .meta({ id: 'SecretResponse', description: 'A secret without its value, which cannot be read.' });
export type SecretResponse = z.output<typeof SecretResponse>;

const DagOfSecret = z
  .object({
    fileName: z.string().describe('Name of its file.'),
    name: z.string().describe('Name of the DAG.'),
    workspace: z.string().optional().describe('Its workspace.'),
    variables: z
      .array(
        z.object({
          name: z.string().describe('The variable that has the value.'),
          version: z.int().optional().describe('Number of the value that it names; absent for the newest.'),
        }),
      )
      .describe('What it takes.'),
  })
  .meta({ id: 'DAGOfSecret', description: 'A DAG that takes a secret.' });

export const ListedSecret = SecretResponse.extend({
  dags: z
    .array(DagOfSecret)
    .describe('DAGs that take the secret, by name, 50 at most; only those that the caller may see.'),
  dagCount: z.int().describe('How many there are.'),
}).meta({ id: 'ListedSecret', description: 'A secret without its value, with the DAGs that take it.' });
export type ListedSecret = z.output<typeof ListedSecret>;

export const SecretListResponse = z
  .object({
    secrets: z.array(ListedSecret).describe('By ref.'),
    total: z.int().describe('How many there are in the workspace.'),
  })
  .meta({ id: 'SecretListResponse', description: 'A page of the secrets of a workspace.' });

export const CreateSecretRequest = z
  .object({
    workspace: z
      .string()
      .max(64)
      .optional()
      .describe('Name of the workspace; omitted, empty or "global" for all workspaces.'),
    ref: secretRef.describe('The name by which DAGs use it, such as "payments/api".'),
    description: description.optional().describe('Purpose of the secret.'),
    providerType: z.literal('dagu-managed').describe('Where the value is stored.'),
    value: value.optional().describe('The first value.'),
  })
  .meta({ id: 'CreateSecretRequest', description: 'A new secret.' });
export type CreateSecretRequest = z.output<typeof CreateSecretRequest>;

export const UpdateSecretRequest = z
  .object({ description: description.optional().describe('New purpose of the secret.') })
  .meta({ id: 'UpdateSecretRequest', description: 'What is to be changed.' });
export type UpdateSecretRequest = z.output<typeof UpdateSecretRequest>;

export const WriteSecretVersionRequest = z
  .object({ value: value.describe('The new value.') })
  .meta({ id: 'WriteSecretVersionRequest', description: 'A new value.' });
