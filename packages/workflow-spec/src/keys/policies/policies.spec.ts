import { limits } from '../../model/limits';
import { parseDag } from '../../dag/document/parse-dag';

const inStep = (line: string) => {
  const { dag, findings } = parseDag(`steps:\n  - name: a\n    run: x\n    ${line}\n`);
  // Findings about references have their own specs.
  return { dag, findings: findings.filter(({ severity }) => severity !== 'info') };
};
const step = (line: string) => {
  const { dag, findings } = inStep(line);
  expect(findings).toEqual([]);
  return dag.steps[0];
};
const listMessages = (line: string) => inStep(line).findings.map(({ code, message }) => `${code}: ${message}`);

describe('preconditions', () => {
  it.each([
    ['test -f x', [{ kind: 'command', command: 'test -f x', negate: false }]],
    ['"true"', [{ kind: 'command', command: 'true', negate: false }]],
    ['{condition: test -f x, negate: true}', [{ kind: 'command', command: 'test -f x', negate: true }]],
    ['{condition: "${A}", expected: 1.10}', [{ kind: 'text', text: '${A}', expected: '1.10', negate: false }]],
    ['{eval: "$(id -u)", expected: 0}', [{ kind: 'eval', text: '$(id -u)', expected: '0', negate: false }]],
    ['[a, {condition: b}]', ['a', 'b'].map((command) => ({ kind: 'command', command, negate: false }))],
    [
      '{condition: b, expected: "re:${params.p"}',
      [{ kind: 'text', text: 'b', expected: 're:${params.p', negate: false }],
    ],
  ])('are read from %s', (value, expected) => expect(step(`preconditions: ${value}`)?.preconditions).toEqual(expected));

  it.each([
    ['{condition: a, eval: b, expected: c}', 'conflicting_keys', 'only one of condition or eval'],
    ['{eval: b}', 'missing_key', 'expected is required'],
    ['{expected: b}', 'missing_key', 'condition or eval is required'],
    ['{condition: b, expected: "re:(["}', 'invalid_value', 'not a valid RE2 regular expression'],
    ['{condition: b, expected: "re:"}', 'invalid_value', 'must follow re:'],
    ['{condition: b, expected: "re:(?<=a)b"}', 'invalid_value', 'not a valid RE2 regular expression'],
    [`{condition: b, expected: "re:${'a'.repeat(1001)}"}`, 'invalid_value', '1000 characters at most'],
    ['{condition: b, expected: [c]}', 'invalid_type', 'must be a string'],
    ['[[a]]', 'invalid_type', 'must be a string'],
    ['" "', 'invalid_value', 'must not be empty'],
    ['[true]', 'invalid_type', 'must be a string, but is a boolean'],
    ['{condition: 5}', 'invalid_type', 'must be a string, but is a number'],
    ['{condition: "${A}", expected: ""}', 'invalid_value', 'must not be empty'],
    ['{condition: b, expect: c}', 'unknown_key', 'did you mean "expected"?'],
    ['{condition: b, negate: no}', 'invalid_type', 'must be true or false'],
    [`[${'a, '.repeat(101)}]`, 'invalid_value', 'preconditions may have 100 entries at most'],
  ])('%j are refused once', (value, code, phrase) => {
    expect(listMessages(`preconditions: ${value}`)).toEqual([expect.stringMatching(new RegExp(`^${code}: `))]);
    expect(listMessages(`preconditions: ${value}`)[0]).toContain(phrase);
  });

  it.each(['`date +%u`', '$(date +%u)'])(
    'with the string %s and expected execute nothing and give a warning',
    (text) => {
      const { findings } = inStep(`preconditions: {condition: "${text}", expected: 5}`);
      expect(findings).toEqual([
        expect.objectContaining({
          code: 'condition_is_text',
          fix: expect.objectContaining({ text: 'eval', column: 21 }) as unknown,
        }),
      ]);
    },
  );

  it('of a DAG may be empty; a step omits them', () => {
    const { dag } = parseDag('preconditions: []\nsteps: [{run: x, preconditions: []}]');
    expect([dag.preconditions, dag.steps[0]]).toEqual([[], expect.not.objectContaining({ preconditions: [] })]);
  });
});

describe('retry_policy', () => {
  it.each([
    ['{limit: 3, interval_sec: 0}', { limit: 3, intervalSec: 0 }],
    ['{limit: 3, interval_sec: 5, backoff: true}', { limit: 3, intervalSec: 5, backoff: 2 }],
    ['{limit: 3, interval_sec: 5, backoff: false}', { limit: 3, intervalSec: 5 }],
    [
      '{limit: 3, interval_sec: 5, backoff: 1.5, max_interval_sec: 60, exit_code: [1, 255]}',
      { limit: 3, intervalSec: 5, backoff: 1.5, maxIntervalSec: 60, exitCodes: [1, 255] },
    ],
    ['{limit: "${TRIES}", interval_sec: $WAIT}', { limit: '${TRIES}', intervalSec: '$WAIT' }],
    ['{limit: "3", interval_sec: "5"}', { limit: 3, intervalSec: 5 }],
    ['{limit: 1, interval_sec: 1, exit_code: 75}', { limit: 1, intervalSec: 1, exitCodes: [75] }],
  ])('is read from %s', (value, expected) => expect(step(`retry_policy: ${value}`)?.retryPolicy).toEqual(expected));

  it.each([
    ['{interval_sec: 5}', ['limit is required when retry_policy is specified']],
    ['{limit: 5}', ['interval_sec is required when retry_policy is specified']],
    ['{}', ['limit is required', 'interval_sec is required']],
    ['{limit: -1, interval_sec: 5}', ['must be an integer']],
    ['{limit: three, interval_sec: 5}', ['must be an integer']],
    ['{limit: 1, interval_sec: 1e99}', ['must be an integer, from 0 to 315360000']],
    ['{limit: 1, interval_sec: 5, backoff: 1}', ['backoff must be greater than 1.0']],
    ['{limit: 1, interval_sec: 5, backoff: .nan}', ['must be a number']],
    ['{limit: 1, interval_sec: 5, backoff: fast}', ['must be a number']],
    ['{limit: 1, interval_sec: 5, exit_code: one}', ['must be an integer']],
    ['{limit: 1, interval_sec: 5, exit_codes: 1}', ['did you mean "exit_code"?']],
    ['3', ['must be a map']],
    ['{limit: 0, interval_sec: 5, exit_code: 1}', ['with a limit of 0 there are no retries']],
    ['{limit: 1, interval_sec: 5, exit_code: 0}', ['a code from 1 to 255']],
    ['{limit: 1, interval_sec: 5, exit_code: [256]}', ['a code from 1 to 255']],
    ['{limit: 1, interval_sec: 5, backoff: 2, max_interval_sec: 4}', ['shorter than interval_sec, which is 5']],
    ['{limit: 1, interval_sec: 5, max_interval_sec: 6}', ['without backoff, waits do not grow']],
    ['{limit: 1, interval_sec: 0, backoff: 2}', ['a wait of 0 seconds does not grow']],
  ])('%s reports %j', (value, phrases) =>
    expect(listMessages(`retry_policy: ${value}`)).toEqual(
      phrases.map((phrase): unknown => expect.stringContaining(phrase)),
    ),
  );

  it('of a DAG waits a minute by default', () => {
    const { dag, findings } = parseDag('retry_policy: {limit: 0}\nsteps: [x]');
    expect([dag.retryPolicy, findings]).toEqual([{ limit: 0, intervalSec: 60 }, []]);
  });

  it('of a DAG has integers and no exit codes', () => {
    const { dag, findings } = parseDag('retry_policy: {limit: 2, interval_sec: $A, exit_code: 1}\nsteps: [x]');
    expect(findings.map(({ code }) => code)).toEqual(['invalid_type', 'unknown_key']);
    expect(dag.retryPolicy).toBeUndefined();
  });
});

describe('repeat_policy', () => {
  const command = { kind: 'command', command: 'test -f x', negate: false };
  const text = { kind: 'text', text: '${A}', expected: 'ok', negate: false };
  it.each([
    ['{repeat: true, interval_sec: 3}', { mode: 'while', intervalSec: 3 }],
    ['{repeat: true, limit: 0}', { mode: 'while', intervalSec: 0 }],
    ['{condition: test -f x, limit: 9}', { mode: 'while', intervalSec: 0, limit: 9, condition: command }],
    ['{condition: "${A}", expected: ok}', { mode: 'until', intervalSec: 0, condition: text }],
    ['{repeat: while, condition: "${A}", expected: ok}', { mode: 'while', intervalSec: 0, condition: text }],
    ['{repeat: true, condition: "${A}", expected: ok}', { mode: 'while', intervalSec: 0, condition: text }],
    ['{exit_code: 0}', { mode: 'while', intervalSec: 0, exitCodes: [0] }],
    [
      '{repeat: until, exit_code: [1, 2], interval_sec: 2, backoff: 3, max_interval_sec: 9}',
      { mode: 'until', intervalSec: 2, exitCodes: [1, 2], backoff: 3, maxIntervalSec: 9 },
    ],
    ['{repeat: false, interval_sec: 5}', undefined],
  ])('is read from %s', (value, expected) => expect(step(`repeat_policy: ${value}`)?.repeatPolicy).toEqual(expected));

  it.each([
    ['{repeat: until}', "missing_key: field 'steps[0].repeat_policy.repeat': repeat mode 'until' requires condition"],
    ['{repeat: while, interval_sec: 1, exit_code: []}', "repeat mode 'while' requires condition"],
    ['{expected: ok}', 'condition is required with expected'],
    ['{repeat: always}', 'must be one of: while, until'],
    ['{repeat: yes}', 'must be one of: while, until'],
    ['{interval_sec: 60}', 'has no effect: it has none of repeat, condition and exit_code'],
    ['{condition: a, exit_code: 1}', 'the condition alone decides'],
    ['{condition: a, expected: "re:*"}', 'not a valid RE2 regular expression'],
    ['true', 'must be a map'],
  ])('%s reports %j', (value, phrase) =>
    expect(listMessages(`repeat_policy: ${value}`)).toEqual([expect.stringContaining(phrase)]),
  );
});

describe('continue_on', () => {
  const none = { failure: false, skipped: false, exitCodes: [], outputs: [], markSuccess: false };
  it.each([
    ['failed', { ...none, failure: true }],
    ['skipped', { ...none, skipped: true }],
    ['{}', none],
    [
      '{failure: true, exit_code: 3, output: [done, "re:^w+"], mark_success: true}',
      { ...none, failure: true, exitCodes: [3], outputs: ['done', 're:^w+'], markSuccess: true },
    ],
    ['{output: 7}', { ...none, outputs: ['7'] }],
  ])('is read from %s', (value, expected) => expect(step(`continue_on: ${value}`)?.continueOn).toEqual(expected));

  it.each([
    ['failure', "invalid_value: field 'steps[0].continue_on': must be a string ('skipped' or 'failed') or an object"],
    ['true', "invalid_type: field 'steps[0].continue_on': must be a string ('skipped' or 'failed') or an object"],
    ['[failed]', "invalid_type: field 'steps[0].continue_on': must be a string ('skipped' or 'failed') or an object"],
    ['{output: "re:["}', 'not a valid RE2 regular expression'],
    ['{output: "re:${A}("}', 'not a valid RE2 regular expression'],
    ['{exit_code: [0, 1]}', 'a code from 1 to 255'],
    ['{mark_success: true}', 'no condition for continuing is given'],
    ['{failure: 1}', 'must be true or false'],
  ])('%s reports %j', (value, phrase) =>
    expect(listMessages(`continue_on: ${value}`)).toEqual([expect.stringContaining(phrase)]),
  );
});

describe('signal_on_stop', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['USR1', 'SIGUSR1'],
  ])('%s is %s', (value, name) => expect(step(`signal_on_stop: ${value}`)?.signalOnStop).toBe(name));

  it.each(['SIGNOPE', 'int', '9', 'SIG', '""'])('refuses %s', (value) =>
    expect(listMessages(`signal_on_stop: ${value}`)).toEqual([expect.stringContaining('invalid signal')]),
  );
});

describe('timeout_sec', () => {
  it.each(['-1', '1.5', '"5"', '.inf', '315360001'])('refuses %s', (value) =>
    expect(listMessages(`timeout_sec: ${value}`)).toHaveLength(1),
  );
});

describe('defaults', () => {
  const parse = (text: string) => parseDag(text);

  it('come before the environment and conditions of a step, and are overridden otherwise', () => {
    const { dag, findings } = parse(`type: graph
defaults:
  env: {A: 1}
  preconditions: p
  timeout_sec: 9
  mail_on_error: true
  signal_on_stop: INT
  continue_on: failed
  retry_policy: {limit: 1, interval_sec: 1}
  repeat_policy: {repeat: true}
steps:
  - x
  - run: y
    env: {A: 2}
    preconditions: q
    timeout_sec: 0
    mail_on_error: false
    signal_on_stop: KILL
    continue_on: {}
    retry_policy: {limit: 0, interval_sec: 0}
    repeat_policy: {repeat: false}
`);
    const condition = (command: string) => ({ kind: 'command', command, negate: false });
    const none = { failure: false, skipped: false, exitCodes: [], outputs: [], markSuccess: false };
    expect(findings).toEqual([]);
    expect(dag.steps).toEqual([
      {
        name: 'step_1',
        depends: [],
        run: { kind: 'commands', commands: ['x'] },
        env: [{ name: 'A', value: '1' }],
        preconditions: [condition('p')],
        timeoutSec: 9,
        mailOnError: true,
        signalOnStop: 'SIGINT',
        continueOn: { ...none, failure: true },
        retryPolicy: { limit: 1, intervalSec: 1 },
        repeatPolicy: { mode: 'while', intervalSec: 0 },
      },
      {
        name: 'step_2',
        depends: [],
        run: { kind: 'commands', commands: ['y'] },
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
        preconditions: [condition('p'), condition('q')],
        timeoutSec: 0,
        mailOnError: false,
        signalOnStop: 'SIGKILL',
        continueOn: none,
        retryPolicy: { limit: 0, intervalSec: 0 },
      },
    ]);
  });

  it.each([
    ['defaults: {retry: 1}', 'the defaults has invalid keys: "retry"'],
    ['defaults: {approval: {}}', 'the defaults has invalid keys: "approval"'],
    ['defaults: [x]', 'must be a map'],
    [`defaults: {env: {A: ${'x'.repeat(limits.stepDefaultsLength)}}}`, 'characters at most'],
  ])('%.60s is refused', (line, phrase) =>
    expect(parse(`${line}\nsteps: [x]`).findings.map(({ message }) => message)).toEqual([
      expect.stringContaining(phrase),
    ]),
  );
});
