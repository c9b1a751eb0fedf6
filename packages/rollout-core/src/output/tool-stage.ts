import type { CallSink } from '../call-text/call-sink';
import { CallWriter, type CallWriterOptions } from './call-writer';
import type { CallReader } from '../families/model-family';
import type { OutputParser } from './output-event';
import { isSpace } from '../call-text/space';
import { createTextSearch } from '../call-text/text-search';
import { peek, type Reader, type TextSource } from '../call-text/text-source';

/** Finds calls in text and emits everything else as text. */
export function createToolStage(reader: CallReader, options: CallWriterOptions): OutputParser {
  const source: TextSource = { text: '', at: 0, ended: false };
  const writer = new CallWriter(options);
  const raw = createRawText(source);
  const reading = readAnswer(reader, source, writer, raw, createRecordingSink(writer, raw));

  return {
    push(text) {
      if (source.ended || text === '') return [];
      raw.save();
      source.text = text;
      source.at = 0;
      raw.from(0);
      reading.next();
      return writer.take();
    },
    end() {
      if (source.ended) return [];
      source.ended = true;
      reading.next();
      writer.finish();
      return writer.take();
    },
  };
}

/** The text since the start of a call, in case it turns out not to be one. It may span many pieces. */
interface RawText {
  begin(opener: string): void;
  /** Everything read so far has been handled. */
  settle(): void;
  /** The source's text is about to be replaced. */
  save(): void;
  from(position: number): void;
  text(): string;
  /** Length of the opener, which must not match again. */
  openerLength(): number;
}

function createRawText(source: TextSource): RawText {
  let pieces: string[] = [];
  let start = 0;
  let isRecording = false;
  let openerLength = 0;
  return {
    begin(opener) {
      pieces = [opener];
      openerLength = opener.length;
      start = source.at;
      isRecording = true;
    },
    settle() {
      pieces = [];
      openerLength = 0;
      start = source.at;
    },
    save() {
      if (isRecording) pieces.push(source.text.slice(start));
    },
    from(position) {
      start = position;
    },
    text() {
      const text = pieces.join('') + source.text.slice(start, source.at);
      pieces = [];
      isRecording = false;
      return text;
    },
    openerLength: () => openerLength,
  };
}

function createRecordingSink(writer: CallWriter, raw: RawText): CallSink {
  return {
    start: (name, id) => writer.start(name, id),
    write: (text) => writer.write(text),
    remainingLength: () => writer.remainingLength(),
    end() {
      writer.end();
      raw.settle();
    },
  };
}

function* readAnswer(
  reader: CallReader,
  source: TextSource,
  writer: CallWriter,
  raw: RawText,
  sink: CallSink,
): Reader<undefined> {
  const text = createTextReader(reader, source, writer);
  let mayBeBare = true;
  for (;;) {
    const opener: string | undefined = mayBeBare && (yield* text.readBare()) ? '' : yield* text.readText();
    if (opener === undefined) return undefined;
    raw.begin(opener);
    mayBeBare = (yield* reader.readCalls(source, sink, opener)) === 'ok';
    if (mayBeBare) {
      raw.text();
      continue;
    }
    writer.abandonCall();
    const openerLength = raw.openerLength();
    text.resume(raw.text(), openerLength);
  }
}

function createTextReader(reader: CallReader, source: TextSource, writer: CallWriter) {
  const search = createTextSearch(reader.openers);
  const tailLength = Math.max(...reader.openers.map((opener) => opener.length)) - 1;
  let held = '';

  const emit = (text: string, heldNow: string) => {
    writer.text(text.slice(0, text.length - heldNow.length));
    held = heldNow;
  };

  return {
    /** At the start and after calls, tells whether the next character that is not a space begins a call. */
    *readBare(): Reader<boolean> {
      if (reader.bareOpeners === '') return false;
      for (;;) {
        const code = yield* peek(source);
        if (code < 0) return false;
        const from = source.at;
        if (!isSpaceAt(source)) return reader.bareOpeners.includes(String.fromCharCode(code));
        while (isSpaceAt(source)) source.at++;
        writer.text(source.text.slice(from, source.at));
      }
    },
    /** Emits text up to the next opener and returns that, or `undefined` at the end. */
    *readText(): Reader<string | undefined> {
      for (;;) {
        if ((yield* peek(source)) < 0) {
          emit(held, '');
          return undefined;
        }
        const from = source.at;
        const end = search.feed(source.text, from);
        source.at = end < 0 ? source.text.length : end;
        const known = held + source.text.slice(from, source.at);
        if (end < 0) {
          emit(known, search.held());
          continue;
        }
        const opener = reader.openers[search.found()] ?? '';
        emit(known.slice(0, known.length - opener.length), '');
        return opener;
      }
    },
    /** Emits text that turned out not to be a call. Its end may be the beginning of the next opener. */
    resume(text: string, openerLength: number) {
      search.reset();
      const tail = text.slice(Math.max(openerLength, text.length - tailLength));
      let at = 0;
      while (at >= 0 && at < tail.length) at = search.feed(tail, at);
      emit(text, search.held());
    },
  };
}

function isSpaceAt(source: TextSource): boolean {
  return source.at < source.text.length && isSpace(source.text.charCodeAt(source.at));
}
