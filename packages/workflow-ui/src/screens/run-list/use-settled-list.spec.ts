import { settle } from './use-settled-list';

const run = (id: string, status = 'running') => ({ id, status });
const idOf = ({ id }: { readonly id: string }): string => id;

it('keeps the rows where they are, with their present state, and counts those that wait', () => {
  const shown = [run('c'), run('b'), run('a')];
  const newest = [run('e'), run('d'), run('c', 'failed'), run('b')];

  expect(settle(shown, newest, { getId: idOf, hasMore: true })).toEqual({
    items: [run('c', 'failed'), run('b'), run('a')],
    waiting: 2,
  });
});

it('counts nothing while nothing is new', () => {
  const page = [run('b'), run('a')];

  expect(settle(page, page, { getId: idOf, hasMore: false })).toEqual({ items: page, waiting: 0 });
});

it('leaves out what was deleted', () => {
  const shown = [run('c'), run('b'), run('a')];
  const settled = (newest: typeof shown, hasMore: boolean) => settle(shown, newest, { getId: idOf, hasMore }).items;

  expect(settled([run('c'), run('a')], true)).toEqual([run('c'), run('a')]);
  expect(settled([run('c')], false)).toEqual([run('c')]);
});
