import { AppError } from '@weir/errors';
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
        return WorkersListResponse.parse(JSON.parse(await boundedText(response)));
      } catch (cause) {
        throw new AppError('unavailable', 'The coordinator cannot be reached.', {
          reason: 'coordinator_unavailable',
          cause,
        });
      }
    },
  };
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  const chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new Error('The answer of the coordinator is too long.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
