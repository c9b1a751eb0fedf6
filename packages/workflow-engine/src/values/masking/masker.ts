import type { JsonValue } from '@weir/workflow-spec';
import { createMaskingStream, type MaskingStream } from './masking-stream';
import { createPatternIndex } from './pattern-index';
import { secretForms } from './secret-forms';

/** Masks the secrets of one run: each of their {@link secretForms} is replaced by `*****`. */
export interface Masker {
  text(text: string): string;
  /** Masks strings and keys; a number that contains a secret becomes a string. */
  json(value: JsonValue): JsonValue;
  /** A masker for one stream of bytes. */
  stream(): MaskingStream;
}

/** Length of the longest pattern in bytes, which bounds what a stream holds back and the work per position. */
const maxPatternBytes = 256;

/** `undefined` when there are no secrets to mask. */
export function createMasker(secrets: Iterable<string>): Masker | undefined {
  const patterns = new Map<string, Buffer>();
  for (const form of [...new Set(secrets)].flatMap(secretForms)) {
    for (const piece of splitPieces(Buffer.from(form))) patterns.set(piece.toString('latin1'), piece);
  }
  if (patterns.size === 0) return undefined;
  const index = createPatternIndex([...patterns.values()]);
  const text = (value: string): string => {
    const bytes = Buffer.from(value);
    // A string without secrets is returned unchanged, because lone surrogates would not survive the conversion.
    if (!hasMatch(bytes)) return value;
    const stream = createMaskingStream(index);
    return Buffer.concat([stream.push(bytes), stream.end()]).toString('utf8');
  };
  const hasMatch = (bytes: Buffer): boolean => {
    for (let at = index.next(bytes, 0, bytes.length); at < bytes.length; at = index.next(bytes, at + 1, bytes.length)) {
      if (index.matchLengthAt(bytes, at) > 0) return true;
    }
    return false;
  };
  return { text, json: (value) => maskJson(value, text), stream: () => createMaskingStream(index) };
}

/** Splits a long text into parts of similar length at character boundaries. */
function splitPieces(bytes: Buffer): readonly Buffer[] {
  const count = Math.ceil(bytes.length / maxPatternBytes);
  const cuts = Array.from({ length: count + 1 }, (_, index) => {
    let at = Math.floor((bytes.length * index) / count);
    while (((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
    return at;
  });
  return cuts.slice(1).map((to, index) => bytes.subarray(cuts[index], to));
}

/** Recursion is safe: the depth of outputs is limited when they are read. */
function maskJson(value: JsonValue, text: (value: string) => string): JsonValue {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') {
    const written = JSON.stringify(value);
    const masked = text(written);
    return masked === written ? value : masked;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => maskJson(item, text));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), maskJson(item, text)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
