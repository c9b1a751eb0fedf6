import type { CallSink } from '../call-text/call-sink';
import { peek, readChoice, readLiteral, skipSpace } from '../call-text/text-source';
import type { Reader, Reading, TextSource } from '../call-text/text-source';
import type { CallReader } from './model-family';

/** Markers around all calls of an answer, and before each of them. */
export interface SectionMarkers {
  readonly callsBegin: string;
  readonly callsEnd: string;
  readonly callBegin: string;
}

/** Reads calls in a section, of which the markers around all may be missing. `readCall` reads one after its marker. */
export function createSectionReader(
  { callsBegin, callsEnd, callBegin }: SectionMarkers,
  readCall: (source: TextSource, sink: CallSink) => Reader<Reading>,
): CallReader {
  return {
    openers: [callsBegin, callBegin],
    bareOpeners: '',
    *readCalls(source, sink, opener) {
      if (opener === callsBegin) {
        yield* skipSpace(source);
        const begin = yield* readLiteral(source, callBegin);
        if (begin !== 'ok') return begin;
      }
      for (;;) {
        const call = yield* readCall(source, sink);
        if (call !== 'ok') return call;
        yield* skipSpace(source);
        const { index } = yield* readChoice(source, [callBegin, callsEnd]);
        // A section that is cut off after a call is complete.
        if (index !== 0) return index === 1 || (yield* peek(source)) < 0 ? 'ok' : 'bad';
      }
    },
  };
}
