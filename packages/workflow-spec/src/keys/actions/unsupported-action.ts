/** Families of actions that this version does not support, by the prefix of their names. */
const families: readonly (readonly [prefix: string, what: string])[] = [
  ['redis.', 'commands of a redis server'],
  ['s3.', 'objects of an s3 store'],
];

/** Describes an action that this version does not support; `undefined` for any other name. */
export function unsupportedAction(name: string): string | undefined {
  const family = families.find(([prefix]) => name.startsWith(prefix) || name === prefix.slice(0, -1));
  return family?.[1];
}
