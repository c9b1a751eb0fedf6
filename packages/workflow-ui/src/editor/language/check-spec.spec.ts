import { checkSpec } from './check-spec';

const now = new Date('2026-01-01T00:30:00Z');

it('reads findings with fixes, steps, parameters and the next runs of a text', () => {
  const text = 'schedule: "0 12 * * *"\nparams:\n  - A: 1\nsteps:\n  - id: a\n    comand: echo\n';
  const meaning = checkSpec({ kind: 'dag', text, name: 'nightly' }, now);

  expect(meaning.findings).toMatchObject([{ code: 'unknown_key', line: 6, fix: { text: 'run' } }]);
  expect(meaning.steps).toMatchObject([{ name: 'a', depends: [] }]);
  expect(meaning.paramsSchema).toMatchObject({ properties: { A: {} } });
  expect(meaning.fires).toHaveLength(5);
});

it('respects the inherited settings of the DAG', () => {
  const base = 'actions:\n  greet:\n    template:\n      run: echo hello\n';
  const text = 'steps:\n  - action: greet\n';

  expect(checkSpec({ kind: 'base', text: base, name: 'base' }, now).findings).toEqual([]);
  expect(checkSpec({ kind: 'dag', text, name: 'dag' }, now).findings).not.toEqual([]);
  expect(checkSpec({ kind: 'dag', text, name: 'dag', base }, now).findings).toEqual([]);
});

it('reports keys that a base configuration may not have', () => {
  expect(checkSpec({ kind: 'base', text: 'steps: []\n', name: 'base' }, now).findings).toMatchObject([
    { code: 'unknown_key' },
  ]);
});
