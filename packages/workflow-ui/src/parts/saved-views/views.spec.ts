import { parseViews } from './views';

const view = { name: 'Failed', search: { q: 'status:failed' } };

it('reads the views of each list', () => {
  expect(parseViews(JSON.stringify({ '/runs': [view] }))).toEqual({ '/runs': [view] });
});

it.each([
  ['nothing', null],
  ['a text that is no JSON', '{'],
  ['something else', '7'],
])('has no views for %s', (_, text) => {
  expect(parseViews(text)).toEqual({});
});

it('skips values that are not views', () => {
  expect(parseViews(JSON.stringify({ '/runs': [view, { name: 1 }, null], '/dags': 'x' }))).toEqual({
    '/runs': [view],
    '/dags': [],
  });
});
