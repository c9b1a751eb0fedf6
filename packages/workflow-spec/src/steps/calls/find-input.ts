import { getEntries, type YamlValue } from '../../source/yaml/yaml-value';

type Find = (path: readonly string[]) => YamlValue | undefined;

/** Looks up parts of nested maps. Each map is indexed once, however many lookups it gets. */
export function createInputFinder(root: YamlValue): Find {
  const known = new Map<unknown, ReadonlyMap<string, YamlValue>>();
  const getChildren = (value: YamlValue) => {
    const found = known.get(value.node);
    if (found) return found;
    const children = new Map(getEntries(value).map((entry) => [entry.key, entry.value]));
    known.set(value.node, children);
    return children;
  };
  return (path) => path.reduce<YamlValue | undefined>((at, key) => at && getChildren(at).get(key), root);
}
