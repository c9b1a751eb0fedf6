import { contextAt } from './key-context';

/** The cursor is at the bar. */
const at = (text: string) => contextAt(text.replace('|', ''), text.indexOf('|'));

it.each([
  ['a key of the DAG', 'sched|', { place: 'key', path: [], typed: 'sched' }],
  ['a key of a step', 'steps:\n  - id: a\n    ru|', { place: 'key', path: ['steps'], typed: 'ru' }],
  ['a key after a dash', 'steps:\n  - id: a\n  - ru|', { place: 'key', path: ['steps'], typed: 'ru' }],
  ['a key of a step below dashes that are not indented', 'steps:\n- id: a\n  ru|', { place: 'key', path: ['steps'] }],
  [
    'a key within a step',
    'steps:\n  - id: a\n    retry_policy:\n      limit: 3\n      int|',
    { place: 'key', path: ['steps', 'retry_policy'], typed: 'int' },
  ],
  ['a key of a step by name', 'steps:\n  build:\n    ru|', { place: 'key', path: ['steps', 'build'] }],
  ['a value', 'type: gr|', { place: 'value', path: [], key: 'type', typed: 'gr' }],
  [
    'a value of a step',
    'steps:\n  - action: http.|',
    { place: 'value', path: ['steps'], key: 'action', typed: 'http.' },
  ],
  ['a value in brackets', 'steps:\n  - id: b\n    depends: [a, c|', { place: 'value', key: 'depends', typed: 'c' }],
  ['a value in a list', 'steps:\n  - id: b\n    depends:\n      - a|', { place: 'value', key: 'depends', typed: 'a' }],
  ['a reference', 'steps:\n  - run: echo ${params.na|', { place: 'reference', typed: 'params.na' }],
])('finds %s', (_, text, context) => {
  expect(at(text)).toMatchObject(context);
});

it('finds nothing within a sentence or a command', () => {
  expect(at('description: what it does, and |')).toBeUndefined();
  expect(at('run: >\n  echo one two|')).toBeUndefined();
});
