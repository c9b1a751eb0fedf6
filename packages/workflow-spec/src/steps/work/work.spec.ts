import type { Step } from '../../model/step';
import { parseDag } from '../../dag/document/parse-dag';

const parse = (step: unknown) => parseDag(JSON.stringify({ steps: [step] }));
const codes = (step: unknown) => parse(step).findings.map(({ code }) => code);
const errors = (step: unknown) =>
  parse(step)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

function meaning(step: unknown): Partial<Step> | undefined {
  return parse(step).dag.steps[0];
}

const request = { method: 'GET', url: 'https://a.example' };
const insecure = [
  { type: 'http', config: { ...request, skipTLSVerify: true } },
  { action: 'http.request', with: { ...request, skip_tls_verify: true } },
] as const;
const quotedPort = [
  { type: 'ssh', config: { host: 'h', port: '22' }, command: 'x' },
  { action: 'ssh.run', with: { host: 'h', port: 22, command: 'x' } },
] as const;

describe('an old form has the same meaning as the new one', () => {
  it.each<readonly [string, object, object]>([
    ['command', { command: 'ls -l' }, { run: 'ls -l' }],
    ['a list of commands', { command: ['a', 'b'] }, { run: ['a', 'b'] }],
    ['script', { script: 'a\nb' }, { run: 'a\nb' }],
    ['script with command', { command: 'python3 -u', script: 'a\nb' }, { run: 'a\nb', with: { shell: 'python3 -u' } }],
    ['one line with command', { command: 'perl', script: 'x' }, { run: 'x\n\n', with: { shell: 'perl' } }],
    ['shell', { command: 'x', shell: 'bash', shellArgs: ['-e'] }, { run: 'x', with: { shell: ['bash', '-e'] } }],
    ['executor of commands', { executor: 'shell', command: 'x' }, { run: 'x' }],
    ['exec', { exec: 'ls "a b"' }, { action: 'exec', with: { command: 'ls', args: ['a b'] } }],
    ['exec as a map', { exec: { command: 'ls' } }, { action: 'exec', with: { command: 'ls' } }],
    ['call', { call: 'child', params: { A: 1 } }, { action: 'dag.run', with: { dag: 'child', params: { A: 1 } } }],
    [
      'parallel',
      { type: 'parallel', call: 'child', parallel: { items: ['a'], maxConcurrent: 2 } },
      { action: 'dag.run', with: { dag: 'child' }, parallel: { items: ['a'], max_concurrent: 2 } },
    ],
    [
      'http',
      { executor: 'http', command: 'get https://a.example', script: '{"timeout": 3, "headers": {"A": "b"}}' },
      { action: 'http.request', with: { method: 'get', url: 'https://a.example', timeout: 3, headers: { A: 'b' } } },
    ],
    [
      'http with a body',
      { type: 'http', config: { method: 'POST' }, command: 'https://a.example', script: '{"order": 3}' },
      { action: 'http.request', with: { method: 'POST', url: 'https://a.example', body: '{"order": 3}' } },
    ],
    [
      'docker',
      { executor: { type: 'docker', config: { image: 'alpine:3' } }, command: 'date' },
      { action: 'docker.run', with: { image: 'alpine:3', command: 'date' } },
    ],
    [
      'ssh',
      { executor: { type: 'ssh', config: { user: 'ada', ip: 'host' } }, script: 'a\nb' },
      { action: 'ssh.run', with: { user: 'ada', host: 'host', script: 'a\nb' } },
    ],
    [
      'mail',
      { type: 'mail', with: { from: 'a@b.example', to: 'c@d.example', subject: 's' }, command: 'hello' },
      { action: 'mail.send', with: { from: 'a@b.example', to: 'c@d.example', subject: 's', message: 'hello' } },
    ],
    [
      'jq',
      { executor: 'jq', command: '.a', script: '{}' },
      { action: 'jq.filter', with: { filter: '.a', input: '{}' } },
    ],
    ['log', { type: 'log', command: 'hi' }, { action: 'log.write', with: { message: 'hi' } }],
    ['noop', { type: 'noop' }, { action: 'noop' }],
    ['hitl', { type: 'hitl' }, { action: 'noop', approval: {} }],
    [
      'hitl with values',
      { type: 'hitl', config: { prompt: 'Go?', input: ['WHO', 'WHY'], required: ['WHO'] } },
      { action: 'noop', approval: { prompt: 'Go?', input: ['WHO', 'WHY'], required: ['WHO'] } },
    ],
    [
      'hitl with a form',
      { id: 'go', type: 'hitl', config: { prompt: 'Go?', form: { properties: { who: { type: 'string' } } } } },
      { id: 'go', action: 'human.task', with: { prompt: 'Go?', form: { properties: { who: { type: 'string' } } } } },
    ],
    ['http of its own spelling', ...insecure],
    ['ssh with a port in quotes', ...quotedPort],
    [
      'an action as a type',
      { type: 'log.write', config: { message: 'x' } },
      { action: 'log.write', with: { message: 'x' } },
    ],
  ])('%s', (_, old, present) => {
    expect(meaning(old)).toEqual(meaning(present));
    expect([errors(old), errors(present)]).toEqual([[], []]);
    expect(codes(old)).toContain('deprecated_key');
    expect(codes(present)).not.toContain('deprecated_key');
  });

  it('chat', () => {
    const settings = { provider: 'openai', model: 'small' };
    const messages = [{ role: 'user', content: 'hi' }];
    const old = { llm: settings, messages };
    const present = { action: 'chat.completion', with: { ...settings, messages } };
    expect(meaning(old)).toEqual(meaning(present));
    expect([errors(old), errors(present)]).toEqual([[], []]);
  });
});

describe('a step', () => {
  it.each<readonly [object, string]>([
    [{ run: 'x', action: 'noop' }, 'run cannot be used together with action'],
    [{ run: 'x', call: 'y' }, 'run cannot be used together with call'],
    [{ run: 'echo x', params: 'a=1' }, 'run cannot be used together with params'],
    [{ type: 'hitl', config: { form: {} }, with: {} }, 'given twice'],
    [{ type: 'hitl', config: { inputs: ['A'] } }, 'did you mean "input"?'],
    [{ type: 'ssh', config: { host: 'h', port: '70000' }, command: 'x' }, 'from 1 to 65535'],
    [{ action: 'noop', config: {} }, 'action cannot be used together with config'],
    [{ action: 'noop', shell: 'sh' }, 'does not support the shell field'],
    [{ type: 'noop', call: 'x' }, 'does not support the call field'],
    [{ type: 'teleport' }, 'unknown step type "teleport"'],
    [{ type: 'sftp' }, '(file transfer over ssh: write sftp.upload or sftp.download) are not supported'],
    [{ executor: { config: {} } }, 'type is required in the executor'],
    [{ type: 'http', executor: 'jq', with: { method: 'GET', url: 'http://a' } }, 'together with executor'],
    [{ config: { shell: 'sh' } }, 'run is required'],
    [{ command: '"', script: 'x' }, 'a quote that is not closed'],
    [{ command: 'x', exec: 'y' }, '"command" is given twice'],
    [{ type: 'ssh', with: { command: 'x' }, config: {} }, 'settings of the step are given twice'],
    [{ type: 'ssh', with: { command: 'x', host: 'h' }, command: 'y' }, '"command" is given twice'],
    [{ run: 'echo x', parallel: ['a'] }, 'parallel currently requires action: dag.run or dag.enqueue'],
    [{ run: 'x', foreach: { items: [], steps: ['x'] } }, 'run cannot be used together with foreach'],
    [{ foreach: { items: [], steps: ['x'] }, with: {} }, 'foreach cannot be used together with with'],
    [{ action: 's3.copy' }, 'is not supported by this version'],
    [
      { action: 'chat.completion', with: { prompt: 'x', model: 'm', response_format: 'schema' } },
      'output_schema is required',
    ],
    [{ action: 'harness.run', with: { prompt: 'x', 'a b': 1, provider: 'pi' } }, 'invalid keys: "a b"'],
    [{ action: 'harness.run', with: { prompt: 'x', a: {}, provider: 'pi' } }, 'a string, number or boolean'],
    [
      { action: 'harness.run', with: { prompt: 'x', provider: 'pi', fallback: [{ provider: 'x' }] } },
      'unknown provider "x"',
    ],
    [{ action: 'acme/deploy@v1' }, 'is not locked'],
    [{ action: 'source:./deploy@v1' }, 'must have an absolute path'],
    [{ action: 'acme/deploy@../v1' }, 'unknown action'],
    [{ action: 'acme/deploy@v1', parallel: ['a'] }, 'parallel currently requires'],
  ])('%j is refused', (step, phrase) => {
    expect(errors(step)).toContainEqual(expect.stringContaining(phrase));
  });

  it('that is refused for one reason has one finding', () => {
    expect(errors({ type: 'teleport', config: { a: 1 }, command: 'x' })).toHaveLength(1);
  });

  it('uses deeply nested JSON in an old request as its body', () => {
    const script = `{"headers":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const run = meaning({ type: 'http', command: 'POST https://a.example', script })?.run;
    expect(run).toMatchObject({ with: { body: script } });
  });

  it('of the present form is corrected by the fix of a deprecated type', () => {
    const { findings } = parseDag('steps:\n  - type: noop\n');
    expect(findings.map(({ fix }) => fix)).toEqual([
      expect.objectContaining({ text: 'action: noop', column: 5, endColumn: 15 }),
    ]);
  });
});

describe('items', () => {
  const items = (list: unknown) => ({ action: 'dag.run', with: { dag: 'x' }, parallel: list });

  it.each<readonly [unknown]>([['a "b c" d'], ['["a", {"b": 1}]'], ['${LIST}'], ['']])('may be the text %j', (list) => {
    expect(errors(items(list))).toEqual([]);
  });

  it('may be a thousand, but not more', () => {
    expect([errors(items(Array(1_000).fill('a'))), errors(items(Array(1_001).fill('a')))]).toEqual([
      [],
      ['items may have 1000 entries at most'],
    ]);
  });

  it('of a string are counted too', () => {
    expect(errors(items('a '.repeat(1_001)))).toEqual([expect.stringContaining('1000 entries at most')]);
  });
});

describe('a router', () => {
  const route = (routes: object, more: readonly object[] = []) =>
    parseDag(JSON.stringify({ steps: [{ id: 'r', action: 'router.route', with: { value: 'x', routes } }, ...more] }));

  it('comes before the steps that it chooses among, and holds their names', () => {
    const { dag, findings } = route({ a: 'b' }, [
      { id: 'b', name: 'the b', run: 'x', depends: ['r'] },
      { name: 'c', run: 'x' },
    ]);
    expect([dag.steps[0]?.run, dag.steps[1]?.depends, dag.steps[2]?.depends, findings]).toEqual([
      { kind: 'action', action: 'router.route', with: { value: 'x', routes: { a: ['the b'] } } },
      ['r'],
      [],
      [],
    ]);
  });

  it('cannot choose steps before it', () => {
    const text =
      'steps: [{id: a, run: x}, {id: r, depends: a, action: router.route, with: {value: x, routes: {y: a}}}]';
    expect(parseDag(text).findings.map(({ code }) => code)).toEqual(['dependency_cycle']);
  });
});

describe('a human task', () => {
  const task = (form: object) => ({ id: 't', action: 'human.task', with: { prompt: 'p', form } });

  it.each<readonly [object, string]>([
    [{}, 'properties is required'],
    [{ properties: { a: {} } }, 'type is required'],
    [{ properties: { a: { type: 'object' } } }, 'must be one of: string, integer, number, boolean'],
    [{ properties: { a: { type: 'integer', default: 1.5 } } }, 'must be an integer'],
    [{ properties: { a: { type: 'string', default: 3 } } }, 'must be of type string'],
    [{ properties: { a: { type: 'string', pattern: '(' } } }, 'not a valid RE2 regular expression'],
    [{ properties: { a: { type: 'string', enum: ['x'], oneOf: [{ const: 'x' }] } } }, 'enum cannot be used together'],
    [{ properties: { a: { type: 'string', oneOf: [{ const: 'x' }], default: 'y' } } }, 'must be one of: x'],
    [{ properties: { a: { type: 'string' } }, required: ['b'] }, 'the form has no such field'],
  ])('refuses the form %j', (form, phrase) => {
    expect(errors(task(form))).toEqual([expect.stringContaining(phrase)]);
  });

  it('inherits no attempts and no time limit from the step defaults', () => {
    const defaults = { timeout_sec: 5, retry_policy: { limit: 1, interval_sec: 1 }, env: { A: 'b' } };
    const { dag } = parseDag(JSON.stringify({ defaults, steps: [task({ properties: { a: { type: 'string' } } })] }));
    expect(Object.keys(dag.steps[0] ?? {}).sort()).toEqual(['depends', 'env', 'id', 'name', 'run']);
  });
});
