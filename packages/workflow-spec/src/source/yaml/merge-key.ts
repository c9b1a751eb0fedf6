import { isAlias, isMap, isScalar, isSeq, Scalar, type Alias, type Node, type Pair } from 'yaml';

/** Whether the entry is `<<`, which stands for the keys of other maps; in quotes it is an ordinary key. */
export function isMergePair({ key }: Pair): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<';
}

/**
 * Returns the maps of a merge key; when several have a key, the first one counts. Returns `undefined` when its value
 * has no maps.
 */
export function mergedMaps({ value }: Pair, aliases: ReadonlyMap<Alias, Node>): readonly Node[] | undefined {
  const target = (node: unknown): unknown => (isAlias(node) ? aliases.get(node) : node);
  const found = target(value);
  const maps = isSeq(found) ? found.items.map(target) : [found];
  return maps.every((map) => isMap(map)) ? maps : undefined;
}
