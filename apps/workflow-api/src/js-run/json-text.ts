/** Says why a value cannot be written as JSON. */
export class NotJson extends Error {}

const maxDepth = 500;
// Written as JSON, what these hold is lost without a word.
const lostKinds: ReadonlySet<string> = new Set(
  ['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'RegExp', 'Error', 'ArrayBuffer', 'DataView'].map(
    (kind) => `[object ${kind}]`,
  ),
);

/** A value as JSON; `undefined` for nothing. Throws {@link NotJson}, and whatever code inside of the value throws. */
export function jsonText(value: unknown, maxBytes: number): string | undefined {
  if (value === undefined) return undefined;
  const holders: unknown[] = [];
  const text = JSON.stringify(value, function (this: unknown, key: string, item: unknown) {
    while (holders.length > 0 && holders.at(-1) !== this) holders.pop();
    check(key, item, holders);
    if (typeof item === 'object' && item !== null) holders.push(item);
    return item;
  });
  if (Buffer.byteLength(text) > maxBytes) throw new NotJson(`is larger than ${maxBytes} bytes as JSON`);
  return text;
}

function check(key: string, item: unknown, holders: readonly unknown[]): void {
  const where = key === '' ? '' : ` at ${JSON.stringify(key.slice(0, 80))}`;
  if (typeof item === 'number' && !Number.isFinite(item))
    throw new NotJson(`holds ${item}${where}, which JSON has not`);
  if (typeof item === 'bigint' || typeof item === 'function' || typeof item === 'symbol') {
    throw new NotJson(`holds a ${typeof item}${where}, which JSON has not`);
  }
  if (typeof item !== 'object' || item === null) return;
  const kind = Object.prototype.toString.call(item);
  if (lostKinds.has(kind)) throw new NotJson(`holds a ${kind.slice(8, -1)}${where}, which JSON has not`);
  if (holders.includes(item)) throw new NotJson(`holds itself${where}`);
  if (holders.length > maxDepth) throw new NotJson(`is nested deeper than ${maxDepth} levels`);
}
