import { AppError } from '@weir/foundation';
import { createWorkflowClient, isApiError } from '@weir/workflow-client';
import type { StoreCommand } from '../shared/program-host';
import { addContext } from './change-contexts';
import type { Context } from '../shared/context-file';

export interface LoginOptions extends StoreCommand {
  readonly url: string;
  /** Name of the context. Default: the host of the address. */
  readonly name?: string | undefined;
  readonly apiKeyFile?: string | undefined;
}

/**
 * Stores a server as the current context once it has accepted the key. Returns the exit code. Throws
 * `unauthenticated` when the server refuses the key, and then stores nothing.
 */
export async function logIn(options: LoginOptions): Promise<number> {
  const { url, apiKeyFile, askSecret, print } = options;
  const name = options.name ?? (URL.parse(url)?.host ?? '').replaceAll(':', '-');
  if (apiKeyFile === undefined && askSecret === undefined) {
    throw new AppError('invalid_request', 'There is no terminal to ask for the key on: give --api-key-file.');
  }
  const apiKey = apiKeyFile === undefined ? await askSecret?.(`API key for ${url}: `) : undefined;
  const exitCode = await addContext({ ...options, name, apiKey, check, isCurrent: true });
  print(`Commands about DAGs and runs are sent there now; for this machine: weir context use local`);
  return exitCode;
}

async function check({ url: baseUrl, apiKey }: Context): Promise<void> {
  try {
    await createWorkflowClient({ baseUrl, token: () => apiKey }).GET('/dags', { params: { query: { perPage: 1 } } });
  } catch (error) {
    if (!isApiError(error)) throw new AppError('unavailable', `${baseUrl} does not answer.`, { cause: error });
    if (error.status !== 401) throw error;
    const message = `${baseUrl} refuses this key. Whoever has the role admin creates one, on the page "API keys".`;
    throw new AppError('unauthenticated', message, { cause: error });
  }
}
