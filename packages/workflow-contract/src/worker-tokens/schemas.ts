import { z } from 'zod';

const timestamp = z.iso.datetime({ offset: true });
const maxLabels = 100;
// As in WEIR_WORKER_LABELS, where values end at a comma.
const labels = z
  .record(
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_./-]{0,127}$/, 'This is no name of a label.'),
    z.string().regex(/^[^,\r\n]{0,256}$/, 'A value has up to 256 characters, and no comma.'),
  )
  .refine((given) => Object.keys(given).length <= maxLabels, `A worker has up to ${maxLabels} labels.`);

export const WorkerToken = z
  .object({
    name: z.string().describe('Unique name.'),
    labels: z.record(z.string(), z.string()).describe('The labels of the workers that have the token.'),
    createdAt: timestamp.describe('When the token was created.'),
    createdBy: z.string().describe('Name of the person who created the token.'),
    lastUsedAt: timestamp
      .nullable()
      .describe('When a worker last used the token, to the minute; null before its first use.'),
  })
  .meta({
    id: 'WorkerToken',
    description: 'The right to work for this server. The token itself is returned only once, when it is created.',
  });
export type WorkerToken = z.output<typeof WorkerToken>;

export const WorkerTokensListResponse = z
  .object({ workerTokens: z.array(WorkerToken).describe('Ordered by name.') })
  .meta({ id: 'WorkerTokensListResponse', description: 'All worker tokens of this server.' });

export const CreateWorkerTokenRequest = z
  .object({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'A name has up to 40 small letters, digits, _ and -, and begins with a letter.')
      .describe('Unique name: up to 40 small letters, digits, _ and -, beginning with a letter.'),
    labels: labels
      .default({})
      .describe('The workers that have the token execute the runs whose `worker_selector` these labels match.'),
  })
  .meta({ id: 'CreateWorkerTokenRequest', description: 'A new worker token.' });
export type CreateWorkerTokenRequest = z.output<typeof CreateWorkerTokenRequest>;

export const CreateWorkerTokenResponse = z
  .object({ workerToken: WorkerToken, token: z.string().describe('The token, returned only once.') })
  .meta({ id: 'CreateWorkerTokenResponse', description: 'The new worker token.' });
