import type { Logger } from '@weir/service-kit';
import { AppError } from '@weir/foundation';
import { readOwnWorkerToken, refreshWorkerTokens, type Database } from '@weir/workflow-db';
import type { Config } from '../config';
import { labelsOfToken } from '../features/worker';
import type { Role } from '../roles';

interface WorkerTokenOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
  readonly logger: Logger;
}

/**
 * Returns the configuration of this process: a worker with a token gets the labels of the token. Other processes give
 * all tokens the rights that workers of this version need. Throws `worker_labels_differ` and `worker_token_refused`.
 */
export async function applyWorkerTokens(
  { config, roles, logger }: WorkerTokenOptions,
  { provider }: Pick<Database, 'provider'>,
): Promise<Config> {
  if (provider === 'sqlite') return config;
  const url = config.database.url.reveal();
  const token = await readOwnWorkerToken(url);
  const isWorkerAlone = roles.every((role) => role === 'worker');
  if (token !== undefined) {
    if (!isWorkerAlone) throw onlyForWorkers(token.name);
    return { ...config, worker: { ...config.worker, labels: labelsOfToken(token, config.worker.labels) } };
  }
  if (!isWorkerAlone) await refresh(url, logger);
  return config;
}

/** Workers continue with the rights that they have, and log the missing ones. */
async function refresh(url: string, logger: Logger): Promise<void> {
  try {
    const tokens = await refreshWorkerTokens(url);
    if (tokens.length > 0) logger.info({ tokens }, 'worker tokens have the rights of this version');
  } catch (error) {
    logger.error({ error }, 'worker tokens do not have the rights of this version');
  }
}

function onlyForWorkers(name: string): AppError {
  const message = `WEIR_DATABASE_URL is the token of the worker ${name}, which is for "weir worker" only.`;
  return new AppError('invalid_request', message, { reason: 'worker_token_refused' });
}
