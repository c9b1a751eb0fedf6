import type { LogFollower } from '@weir/ui-kit';
import type { Schemas } from '../../api/client';
import { operationAddress, type LogAddress } from './log-address';

const shortestDelayMs = 1000;
const longestDelayMs = 30_000;

/**
 * Follows a log by server-sent events, over as many connections as it takes, until the returned function is called. A tab
 * that nobody sees has no connection: a browser opens only six of them to a server.
 */
export function followLog(log: LogAddress, line: number, follower: LogFollower): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let lastEventId = '';
  let delayMs = shortestDelayMs;

  const close = (): void => {
    source?.close();
    clearTimeout(retry);
  };
  const open = (): void => {
    close();
    if (document.hidden) return;
    const begin = lastEventId === '' ? { line: String(line) } : { lastEventId };
    source = new EventSource(operationAddress(log, 'follow', begin));
    source.addEventListener('lines', (event: MessageEvent<string>) => {
      lastEventId = event.lastEventId;
      delayMs = shortestDelayMs;
      // The contract of the operation.
      follower.onLines(JSON.parse(event.data) as Schemas['LogLinesResponse']);
    });
    source.addEventListener('cut', (event: MessageEvent<string>) => {
      lastEventId = event.lastEventId;
      follower.onCut((JSON.parse(event.data) as { readonly line: number }).line);
    });
    source.addEventListener('end', stop);
    source.addEventListener('closed', stop);
    source.addEventListener('error', () => {
      close();
      retry = setTimeout(open, delayMs);
      delayMs = Math.min(longestDelayMs, delayMs * 2);
    });
  };
  const stop = (): void => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
  document.addEventListener('visibilitychange', open);
  open();
  return stop;
}
