import { childPath } from './child-path';

it.each([
  ['', 'rows', 'rows'],
  ['rows', 2, 'rows[2]'],
  ['rows[2]', 'name', 'rows[2].name'],
  ['rows', 'eu-west', 'rows["eu-west"]'],
])('of "%s" and %p is %s', (path, key, expected) => {
  expect(childPath(path, key)).toBe(expected);
});
