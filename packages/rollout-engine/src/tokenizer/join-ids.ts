/** Concatenates arrays; always returns a new one. */
export function joinIds(parts: readonly Int32Array[]): Int32Array {
  const ids = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    // There may be a hundred thousand short ones, for which a call costs more than a loop.
    if (part.length > shortLength) ids.set(part, at);
    else for (let index = 0; index < part.length; index += 1) ids[at + index] = part[index] ?? 0;
    at += part.length;
  }
  return ids;
}

const shortLength = 32;
