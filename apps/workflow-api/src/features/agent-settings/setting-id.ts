const maxLength = 128;
const roomForNumber = 8;

/**
 * Returns the id of a new setting: lower-case words of its name, joined by "-", with a number where that id is taken.
 * A name without Latin letters and digits gives `fallback`.
 */
export function createSettingId(name: string, fallback: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const base = (words?.join('-') ?? fallback).slice(0, maxLength - roomForNumber).replace(/-$/, '');
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
}
