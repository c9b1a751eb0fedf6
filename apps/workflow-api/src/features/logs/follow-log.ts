import type { ServerEvent } from '@weir/http-contract';
import type { LinePosition } from './reader';
import type { LogSubscription } from './log-followers';
import { presentLogLines } from './log-presenter';

/** Yields the lines from a position on, as fast as one follower reads them. Ends after the last line. */
export async function* followLog(
  { log, waitForChange }: Pick<LogSubscription, 'log' | 'waitForChange'>,
  from: LinePosition,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let position = from;
  let seenCuts = 0;
  while (!signal.aborted) {
    const { version, cuts, failure } = log;
    if (failure !== undefined) {
      yield { event: 'closed', data: { code: failure.code, message: failure.message } };
      return;
    }
    const part = await log.readFrom(position);
    if (cuts !== seenCuts || position.byte > part.totalBytes) {
      seenCuts = cuts;
      const cut = await log.findCut();
      if (cut.byte < position.byte) {
        position = cut;
        yield { event: 'cut', id: formatEventId(position), data: position };
        continue;
      }
    }
    if (part.lines.length > 0) {
      position = part.next;
      yield { event: 'lines', id: formatEventId(position), data: presentLogLines(part) };
    }
    if (part.isEnd) {
      yield { event: 'end', data: { nextLine: position.line, nextByte: position.byte } };
      return;
    }
    if (part.lines.length === 0) await waitForChange(version, signal);
  }
}

function formatEventId({ line, byte }: LinePosition): string {
  return `${line}.${byte}`;
}
