import { isInScope, readWorkspaceSearch, scopeOf } from './workspace-search';

it.each([
  ['the name of a workspace', { ws: 'finance' }, { ws: 'finance' }],
  ['a name that the router has read as a number', { ws: 2026 }, { ws: '2026' }],
  ['the word for all of them', { ws: 'all' }, {}],
  ['what cannot be a name', { ws: 'a b' }, {}],
  ['nothing', {}, {}],
])('reads %s', (_, search, expected) => {
  expect(readWorkspaceSearch(search)).toEqual(expected);
});

it('limits nothing without a workspace', () => {
  expect(scopeOf({})).toEqual({});
  expect(isInScope({}, { workspace: 'finance' })).toBe(true);
});

it('limits to a workspace, or to items without one', () => {
  const [finance, none] = [scopeOf({ ws: 'finance' }), scopeOf({ ws: 'default' })];

  expect([isInScope(finance, { workspace: 'finance' }), isInScope(finance, {})]).toEqual([true, false]);
  expect([isInScope(none, { workspace: 'finance' }), isInScope(none, {})]).toEqual([false, true]);
});
