/** Explains why a value cannot be written as JSON. */
export class NotJsonError extends Error {}

const maxDepth = 500;
// JSON would silently drop the content of these.
const lostKinds: ReadonlySet<string> = new Set(
  ['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'RegExp', 'Error', 'ArrayBuffer', 'DataView'].map(
    (kind) => `[object ${kind}]`,
  ),
);

/** Writes a value as JSON; `undefined` stays `undefined`. Throws {@link NotJsonError}, or what code in the value throws. */
export function jsonText(value: unknown, maxBytes: number): string | undefined {
  if (value === undefined) return undefined;
  const ancestors: unknown[] = [];
  const text = JSON.stringify(value, function (this: unknown, key: string, item: unknown) {
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    check(key, item, ancestors);
    if (typeof item === 'object' && item !== null) ancestors.push(item);
    return item;
  });
  return bounded(text, maxBytes);
}

/** Writes a value as JavaScript itself does, leaving out what JSON cannot represent, in indented lines. */
export function indentedText(value: unknown, maxBytes: number): string | undefined {
  // The types do not say that a function, a symbol and `undefined` have no text.
  const text = JSON.stringify(value, undefined, 2) as string | undefined;
  return text === undefined ? undefined : bounded(text, maxBytes);
}

function bounded(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) > maxBytes) throw new NotJsonError(`is larger than ${maxBytes} bytes as JSON`);
  return text;
}

function check(key: string, item: unknown, ancestors: readonly unknown[]): void {
  const where = key === '' ? '' : ` at ${JSON.stringify(key.slice(0, 80))}`;
  if (typeof item === 'number' && !Number.isFinite(item))
    throw new NotJsonError(`holds ${item}${where}, which JSON cannot represent`);
  if (typeof item === 'bigint' || typeof item === 'function' || typeof item === 'symbol') {
    throw new NotJsonError(`holds a ${typeof item}${where}, which JSON cannot represent`);
  }
  if (typeof item !== 'object' || item === null) return;
  const kind = Object.prototype.toString.call(item);
  if (lostKinds.has(kind)) throw new NotJsonError(`holds a ${kind.slice(8, -1)}${where}, which JSON cannot represent`);
  if (ancestors.includes(item)) throw new NotJsonError(`holds itself${where}`);
  if (ancestors.length > maxDepth) throw new NotJsonError(`is nested deeper than ${maxDepth} levels`);
}
