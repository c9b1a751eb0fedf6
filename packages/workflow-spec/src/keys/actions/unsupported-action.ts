/** Families of actions that this version does not support, by the prefix of their names, with what to do instead. */
const families: readonly (readonly [prefix: string, what: string])[] = [
  ['redis.', 'commands of a redis server'],
  ['s3.', 'objects of an s3 store'],
  ['browser.', 'pages in a browser: run a script of Playwright in a step with a container'],
  ['computer.', 'the screen of a desktop computer: run a program that drives it, or a container with a virtual screen'],
  ['xlsx.', 'workbooks'],
];

/** Describes an action that this version does not support; `undefined` for any other name. */
export function unsupportedAction(name: string): string | undefined {
  const family = families.find(([prefix]) => name.startsWith(prefix) || name === prefix.slice(0, -1));
  return family?.[1];
}
