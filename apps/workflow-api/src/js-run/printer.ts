import { format } from 'node:util';
import type { JsPrinted } from './js-call';

export type Print = (stream: JsPrinted['stream'], values: readonly unknown[]) => void;

export interface Printer {
  readonly print: Print;
  /** Flushes the rest; later prints are ignored. */
  close(): void;
}

const flushLength = 65_536;
const flushMs = 100;
/** The first prints are not buffered, so that a function that never ends still shows its progress. */
const eagerPrints = 100;

/** Buffers what one call prints, up to a limit of characters, and posts it in order. */
export function createPrinter(post: (printed: JsPrinted) => void, maxLength: number, now: () => number): Printer {
  let pending: { stream: JsPrinted['stream']; text: string } | undefined;
  let left = maxLength;
  let count = 0;
  let flushedAt = 0;
  let isClosed = false;
  const flush = (): void => {
    if (pending !== undefined) post(pending);
    pending = undefined;
    flushedAt = now();
  };
  const add = (stream: JsPrinted['stream'], text: string): void => {
    if (pending !== undefined && pending.stream !== stream) flush();
    pending = { stream, text: `${pending?.text ?? ''}${text}` };
    count += 1;
    if (count <= eagerPrints || pending.text.length >= flushLength || now() - flushedAt >= flushMs) flush();
  };
  return {
    print: (stream, values) => {
      if (isClosed || left < 0) return;
      const text = `${format(...values)}\n`;
      left -= text.length;
      if (left >= 0) add(stream, text);
      else add('stderr', `js.run prints no more than ${maxLength} characters.\n`);
    },
    close: () => {
      flush();
      isClosed = true;
    },
  };
}
