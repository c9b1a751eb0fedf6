import { checkSpec } from './check-spec';
import { completeSpec, describeKey } from './complete-spec';
import { contextAt } from './key-context';

const spec = `params:
  - REGION: eu
steps:
  - id: fetch
    run: echo
    outputs: [{ name: rows }]
`;

/** What is proposed at the end of a text. */
function propose(text: string, kind: 'dag' | 'base' = 'dag'): readonly string[] {
  const context = contextAt(text, text.length);
  const meaning = checkSpec({ kind, text: spec, name: 'dag' }, new Date());
  return context === undefined ? [] : completeSpec(context, meaning).map(({ label }) => label);
}

it('proposes the keys of the DAG, of steps and of their parts', () => {
  expect(propose('')).toEqual(expect.arrayContaining(['steps', 'schedule', 'params']));
  expect(propose('steps:\n  - ')).toEqual(expect.arrayContaining(['id', 'run', 'depends', 'action']));
  expect(propose('steps:\n  - id: a\n    retry_policy:\n      ')).toEqual(
    expect.arrayContaining(['limit', 'interval_sec']),
  );
});

it('proposes actions, names of steps, values and references', () => {
  expect(propose('steps:\n  - action: ')).toEqual(expect.arrayContaining(['http.request', 'mail.send']));
  expect(propose('steps:\n  - depends: ')).toEqual(['fetch']);
  expect(propose('type: ')).toEqual(expect.arrayContaining(['graph', 'chain']));
  expect(propose('steps:\n  - run: echo ${')).toEqual(
    expect.arrayContaining(['params.REGION', 'steps.fetch.outputs.rows']),
  );
});

it('describes keys', () => {
  expect(describeKey(['steps'], 'id')).toContain('references');
  expect(describeKey([], 'no_such_key')).toBeUndefined();
});
