import { parseDag } from '../../dag/document/parse-dag';

const listMessages = (text: string) => parseDag(text).findings.map(({ code, message }) => `${code}: ${message}`);
const steps = (last: string) => `steps:
  - {name: first, id: one, run: x}
  - {name: second, run: x, depends: first}
  - {name: aside, run: x}
  - {name: last, run: x, depends: [second], ${last}}
  - {name: later, run: x, depends: last}
`;

describe('approval', () => {
  it.each([
    ['{}', { input: [], required: [] }],
    ['{prompt: Go?, rewind_to: last}', { prompt: 'Go?', input: [], required: [] }],
    ['{input: [a, b], required: [b], rewind_to: one}', { input: ['a', 'b'], required: ['b'], rewindTo: 'first' }],
    ['{input: [a, a], required: [a, a], rewindTo: second}', { input: ['a'], required: ['a'], rewindTo: 'second' }],
  ])('is read from %s', (value, expected) => {
    const { dag, findings } = parseDag(steps(`approval: ${value}`));
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(dag.steps[3]?.approval).toEqual(expected);
  });

  it.each([
    ['{input: [a], required: [b]}', 'must be one of the names in input'],
    ['{required: [b]}', 'must be one of the names in input'],
    ['{input: ["a b"], required: ["a b"]}', 'invalid environment variable name "a b"'],
    ['{rewind_to: frist}', 'non-existent step "frist" (did you mean "first"?)'],
    ['{rewind_to: aside}', 'step itself or an upstream step; "aside" is neither'],
    ['{rewind_to: later}', 'step itself or an upstream step; "later" is neither'],
    ['{rewind_to: ""}', 'must not be empty'],
    ['true', 'must be a map'],
    ['{inputs: [a]}', 'did you mean "input"?'],
  ])('%s reports %j', (value, phrase) =>
    expect(listMessages(steps(`approval: ${value}`))).toEqual([expect.stringContaining(phrase)]),
  );

  it('does not check rewind_to through a cycle, which is reported', () => {
    const text = `steps:
  - {name: a, run: x, depends: b}
  - {name: b, run: x, depends: a, approval: {rewind_to: a}}
`;
    expect(parseDag(text).findings.map(({ code }) => code)).toEqual(['dependency_cycle']);
  });
});

describe('handler_on', () => {
  it('has steps with separate names', () => {
    const { dag, findings } = parseDag(`handler_on:
  init: echo 1
  exit: {name: a, run: echo 2, retry_policy: {limit: 1, interval_sec: 0}, depends: []}
  wait: {id: note, run: echo 3}
defaults: {timeout_sec: 5, preconditions: "false"}
steps: [{name: a, run: x}]
`);
    const run = (command: string) => ({ depends: [], env: [], run: { kind: 'commands', commands: [command] } });
    expect(findings).toEqual([]);
    expect(dag.handlers).toEqual({
      init: { name: 'init', ...run('echo 1') },
      exit: { name: 'a', ...run('echo 2'), retryPolicy: { limit: 1, intervalSec: 0 } },
      wait: { name: 'note', id: 'note', ...run('echo 3') },
    });
  });

  it('without steps is empty', () => {
    expect(parseDag('handler_on: {exit: }\nsteps: [x]').dag).not.toHaveProperty('handlers');
  });

  it.each([
    ['{onExit: x}', 'unknown_key'],
    ['{cancel: x, abort: y}', 'conflicting_keys'],
    ['[x]', 'invalid_type'],
    ['{exit: [x, y]}', 'invalid_value'],
    ['{exit: {run: x, depends: a}}', 'not_in_handler'],
    ['{exit: {run: x, approval: {}}}', 'not_in_handler'],
    ['{exit: {}}', 'missing_key'],
    ['{exit: {run: x, nam: y}}', 'unknown_key'],
    ['{exit: " "}', 'invalid_value'],
  ])('%s is refused with %s', (value, code) => {
    const { findings } = parseDag(`handler_on: ${value}\nsteps: [{name: a, run: x}]`);
    expect(findings.filter(({ severity }) => severity === 'error').map((finding) => finding.code)).toEqual([code]);
  });
});
