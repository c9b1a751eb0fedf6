import type { CallSink } from './call-sink';
import { peek, readJson, readLiteral, skipSpace, type Reader, type Reading, type TextSource } from './text-source';

const maxKeyLength = 256;

/**
 * Reads `{"name": …, "arguments": {…}}` in either order; `parameters` is an alias. Other keys are ignored. Arguments are
 * passed on verbatim. Does not end the call: the format knows what must follow.
 */
export function* readCallObject(source: TextSource, sink: CallSink): Reader<Reading> {
  const opened = yield* readLiteral(source, '{');
  if (opened !== 'ok') return opened;
  const seen = { name: false, arguments: false };
  for (;;) {
    const member = yield* readMember(source, sink, seen);
    if (member !== 'ok') return member;
    yield* skipSpace(source);
    const code = yield* peek(source);
    if (code < 0) return 'cut';
    if (code !== 0x2c && code !== 0x7d) return 'bad';
    // The closing brace of an object without a name is not consumed, so that `bad` is always at a character.
    if (code === 0x7d && !seen.name) return 'bad';
    source.at++;
    if (code === 0x7d) return 'ok';
  }
}

function* readMember(source: TextSource, sink: CallSink, seen: { name: boolean; arguments: boolean }): Reader<Reading> {
  yield* skipSpace(source);
  const key = yield* readText(source);
  if (key.reading !== 'ok') return key.reading;
  yield* skipSpace(source);
  const between = yield* readLiteral(source, ':');
  if (between !== 'ok') return between;
  yield* skipSpace(source);
  if (key.text === 'name') {
    if (seen.name) return 'bad';
    seen.name = true;
    const name = yield* readText(source);
    return name.reading === 'ok' && !sink.start(name.text) ? 'bad' : name.reading;
  }
  if (key.text === 'arguments' || key.text === 'parameters') {
    if (seen.arguments) return 'bad';
    seen.arguments = true;
    return yield* readArguments(source, sink);
  }
  return yield* readJson(source, sink.remainingLength(), () => undefined);
}

/** Reads an object and passes it on verbatim. */
export function* readArguments(source: TextSource, sink: CallSink): Reader<Reading> {
  const code = yield* peek(source);
  if (code < 0) return 'cut';
  if (code !== 0x7b) return 'bad';
  return yield* readJson(source, sink.remainingLength(), (text) => sink.write(text));
}

function* readText(source: TextSource): Reader<{ readonly reading: Reading; readonly text: string }> {
  const code = yield* peek(source);
  if (code !== 0x22) return { reading: code < 0 ? 'cut' : 'bad', text: '' };
  let raw = '';
  const reading = yield* readJson(source, maxKeyLength, (text) => {
    raw += text;
  });
  return { reading, text: reading === 'ok' ? String(JSON.parse(raw)) : '' };
}
