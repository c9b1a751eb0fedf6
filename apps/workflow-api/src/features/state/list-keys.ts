import type { StateEntry } from './state-types';

/** Lists the entries whose keys have the prefix, in the order of their code units. */
export function listKeys(
  entries: readonly StateEntry[],
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): readonly StateEntry[] {
  return entries
    .filter(({ key }) => key.startsWith(prefix))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .slice(0, limit);
}
