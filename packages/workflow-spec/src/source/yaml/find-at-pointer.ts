import { getEntries, getItems, getKind, type YamlValue } from './yaml-value';

export function findAtPointer(root: YamlValue, pointer: string): YamlValue | undefined {
  let at: YamlValue | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    if (!at) return undefined;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = getKind(at) === 'list' ? getItems(at)[Number(name)] : getEntries(at).find(({ key }) => key === name)?.value;
  }
  return at;
}
