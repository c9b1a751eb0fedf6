import { AppError } from '@weir/errors';
import { readBounded } from '@weir/primitives';
import { WorkersListResponse } from '@weir/workflow-contract';
import type { Coordinator } from './coordinator';

export interface HttpCoordinatorOptions {
  readonly url: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** For one call, answer included. Default 2 s. */
  readonly timeoutMs?: number;
}

const maxAnswerBytes = 4 * 1024 * 1024;

/** Asks a coordinator for its workers over HTTP. */
export function createHttpCoordinator(options: HttpCoordinatorOptions): Coordinator {
  const { url, fetch: send = fetch, timeoutMs = 2_000 } = options;
  const address = `${url.replace(/\/+$/, '')}/workers`;
  return {
    listWorkers: async (signal) => {
      try {
        const response = await send(address, {
          headers: { accept: 'application/json' },
          redirect: 'error',
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        if (!response.ok) throw new Error(`The coordinator answered ${response.status}.`);
        return WorkersListResponse.parse(JSON.parse(await readText(response)));
      } catch (cause) {
        throw new AppError('unavailable', 'The coordinator cannot be reached.', {
          reason: 'coordinator_unavailable',
          cause,
        });
      }
    },
  };
}

async function readText(response: Response): Promise<string> {
  const bytes = await readBounded(response.body ?? [], maxAnswerBytes);
  if (bytes === undefined) throw new Error('The answer of the coordinator is too long.');
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
