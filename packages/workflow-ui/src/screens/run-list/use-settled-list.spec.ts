import { settle } from './use-settled-list';

const run = (id: string, status = 'running') => ({ id, status });
const idOf = ({ id }: { readonly id: string }): string => id;

it('keeps the rows in place, with their present state, and counts the new ones', () => {
  const shown = [run('c'), run('b'), run('a')];
  const newest = [run('e'), run('d'), run('c', 'failed'), run('b')];

  expect(settle(shown, newest, { getId: idOf, hasMore: true })).toEqual({
    items: [run('c', 'failed'), run('b'), run('a')],
    waiting: 2,
  });
});

it('counts nothing without new rows', () => {
  const page = [run('b'), run('a')];

  expect(settle(page, page, { getId: idOf, hasMore: false })).toEqual({ items: page, waiting: 0 });
});

it('omits deleted rows', () => {
  const shown = [run('c'), run('b'), run('a')];
  const settled = (newest: typeof shown, hasMore: boolean) => settle(shown, newest, { getId: idOf, hasMore }).items;

  expect(settled([run('c'), run('a')], true)).toEqual([run('c'), run('a')]);
  expect(settled([run('c')], false)).toEqual([run('c')]);
});
