const comma = 44;
const zero = 48;
/** An id up to 2^31 - 1 and its comma. */
const widestId = 11;

/**
 * A JSON list of ids, written digit by digit: for 20,000 ids several times as fast as `JSON.stringify` of a list of
 * numbers, and without that list.
 */
export function idsJson(ids: Int32Array): string {
  const bytes = Buffer.allocUnsafe(ids.length * widestId);
  let at = bytes.length;
  for (let index = ids.length - 1; index >= 0; index -= 1) {
    let rest = ids[index] ?? 0;
    do {
      at -= 1;
      bytes[at] = zero + (rest % 10);
      rest = (rest / 10) | 0;
    } while (rest > 0);
    if (index === 0) break;
    at -= 1;
    bytes[at] = comma;
  }
  return `[${bytes.toString('latin1', at)}]`;
}
