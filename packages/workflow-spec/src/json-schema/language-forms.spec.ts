import Ajv, { type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { dagKind } from '../dag-keys/dag-kind';
import { parseDag } from '../dag/parse-dag';
import { stepKind } from '../step-keys/step-kind';
import { dagSchema } from './dag-schema';

/** One example of each form of a value, by key. */
type Forms = Readonly<Record<string, readonly unknown[]>>;

const conditions = [
  'test -f ready',
  ['test -f ready', { condition: '${params.x}', expected: 'a' }],
  { condition: '$X', expected: 're:^a+$', negate: true },
  { eval: '$(date +%u)', expected: '1' },
];
const env = [{ A: 'b', B: 1 }, [{ A: 'b' }, { B: '${A}/c' }], ['A=b', 'B=${A}'], { A: null, B: true }];
const container = [
  'alpine:3.20',
  { image: 'alpine', pull_policy: 'never', env: ['A=b'], volumes: ['/a:/b:ro'], ports: ['8080:80'] },
  { exec: 'running' },
  { image: 'db', startup: 'entrypoint', wait_for: 'healthy', healthcheck: { test: ['CMD', 'true'], interval: '2s' } },
];
const selector = ['local', { region: 'eu', gpu: true }];
const retry = [
  { limit: 3, interval_sec: 5 },
  { limit: 3, interval_sec: 5, backoff: true, max_interval_sec: 60 },
];
const mail = { from: 'a@example.org', to: ['b@example.org', 'c@example.org'], prefix: '[x]', attach_logs: true };

const dagForms: Forms = {
  name: ['nightly', 'a.b-c_D9', 2024],
  description: ['What it does', '', 5],
  group: ['reports'],
  labels: ['a, b=c', ['a', 'b=c'], { a: '', b: 'c', n: 5 }],
  tags: ['a, b'],
  type: ['graph', 'chain'],
  params: [
    'a b=c "d e"',
    ['a', 'b=c', { d: 'e' }],
    { a: 'b', n: 5, t: true },
    [
      {
        name: 'a',
        type: 'integer',
        default: 3,
        enum: [1, 3],
        minimum: 1,
        maximum: 3,
        description: 'x',
        required: false,
      },
    ],
    [
      { name: 'a', pattern: '^x+$', min_length: 1, max_length: 5, default: 'xx' },
      { name: 'b', eval: '$(date)' },
    ],
    { type: 'object', properties: { a: { type: 'string', default: 'b' } }, required: ['a'] },
    { schema: { type: 'object', properties: { a: { type: 'number' } } }, values: { a: 5 } },
    { schema: './params.schema.json' },
    { schema: 'https://example.org/params.schema.json', values: { a: 5 } },
  ],
  env,
  consts: [[{ a: 'b' }, { n: 5 }, { t: true }]],
  dotenv: ['.env.test', ['.env', '.env.local'], []],
  secrets: [[{ name: 'A', ref: 'team/a' }], [{ name: 'B', provider: 'file', key: '/run/b', options: { trim: true } }]],
  working_dir: ['/srv', '~/x', '${params.dir}'],
  shell: ['bash -eu', ['bash', '-eu']],
  schedule: [
    '0 3 * * *',
    'CRON_TZ=Europe/Berlin 0 3 * * MON',
    ['0 3 * * *', '0 4 * * *'],
    { start: '0 3 * * *', stop: ['0 5 * * *'], restart: '0 4 * * 0' },
    [
      { kind: 'cron', expression: '0 3 * * *' },
      { kind: 'at', at: '2027-01-01T09:00:00+01:00' },
    ],
    { start: [{ kind: 'at', at: '2027-01-01T09:00:00Z' }] },
  ],
  skip_if_successful: [true],
  catchup_window: ['6h', '2d12h'],
  overlap_policy: ['skip', 'all', 'latest'],
  queue: ['reports'],
  max_active_runs: [1],
  max_active_steps: [0, 5],
  timeout_sec: [0, 60],
  delay_sec: [5],
  restart_wait_sec: [5],
  max_clean_up_time_sec: [30],
  retry_policy: [...retry, { limit: 2, interval_sec: 60, backoff: 1.5 }],
  defaults: [{ retry_policy: { limit: 1, interval_sec: 1 }, env: { A: 'b' }, continue_on: 'failed', timeout_sec: 5 }],
  preconditions: conditions,
  handler_on: [
    { init: { run: 'a' }, success: 'b', failure: { run: ['c'] }, abort: 'd', exit: 'e', wait: 'f' },
    { cancel: 'a' },
  ],
  mail_on: [{ success: true, failure: true, wait: false }],
  smtp: [
    { host: 'mail.example.org', port: 587, username: 'a', password: '${B}' },
    { host: 'h', port: '25' },
  ],
  error_mail: [mail],
  info_mail: [{ ...mail, to: 'b@example.org' }],
  wait_mail: [mail],
  log_dir: ['/var/log/x'],
  log_output: ['separate', 'merged'],
  max_output_size: [1024],
  artifacts: [{ enabled: true, dir: '/srv/artifacts' }, { enabled: false }],
  hist_retention_days: [0, 30],
  hist_retention_runs: [10],
  container,
  registry_auths: [{ 'ghcr.io': { username: 'a', password: 'b' } }, '{"ghcr.io": {"auth": "YTpi"}}', '${AUTHS}'],
  ssh: [{ user: 'a', host: 'b', port: 22, key: '~/.ssh/id' }],
  llm: [{ provider: 'openai', model: 'a' }],
  resources: [{ limits: { cpu: '500m', memory: '512Mi' } }, { limits: { cpu: 1.5 } }],
  actions: [
    { greet: { description: 'x', input_schema: { type: 'object' }, template: { run: 'echo hi' } } },
    { tell: { template: { action: 'log.write', with: { message: 'hi' } } } },
  ],
  step_types: [{ greet: { type: 'command', template: { run: 'echo hi' } } }],
  worker_selector: selector,
  run_config: [{ disable_param_edit: true, disable_run_id_edit: true }],
  webhook: [{ forward_headers: ['X-Id', 'User-Agent'] }],
  otel: [
    {
      enabled: true,
      endpoint: 'http://localhost:4317',
      headers: { a: 'b' },
      insecure: true,
      timeout: '10s',
      resource: { a: 'b' },
    },
  ],
};

const stepForms: Forms = {
  id: ['a', 'b_1'],
  name: ['a step', 5],
  description: ['x'],
  depends: [[], null],
  run: ['echo', 'a\nb\n', ['a', 'b'], true],
  working_dir: ['/srv'],
  env,
  preconditions: conditions,
  continue_on: [
    'failed',
    'skipped',
    { failure: true, skipped: true, mark_success: true },
    { exit_code: 3 },
    { exit_code: [3, 4], output: ['a', 're:^b'] },
    { output: 'a' },
  ],
  retry_policy: [...retry, { limit: '${params.n}', interval_sec: 1, exit_code: [1, 2] }],
  repeat_policy: [
    { repeat: true, interval_sec: 5 },
    { repeat: 'while', condition: 'test -f a', limit: 5 },
    { repeat: 'until', condition: '$X', expected: 'a', interval_sec: 1, backoff: 2, max_interval_sec: 9 },
    { exit_code: [1, 2], interval_sec: 1 },
  ],
  timeout_sec: [0, 5],
  signal_on_stop: ['SIGINT'],
  idempotent: [true],
  mail_on_error: [true],
  stdout: ['/tmp/out', { artifact: 'out.txt' }],
  stderr: ['/tmp/err', { artifact: 'err.txt' }],
  log_output: ['merged'],
  output: [
    'OUT',
    {
      a: 'literal',
      b: { from: 'stdout', decode: 'json', select: '.x' },
      c: { from: 'file', path: 'x.yaml', decode: 'yaml' },
    },
  ],
  output_schema: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
  dependencies: ['a.txt', ['a.txt', 'lib/**']],
  container,
  approval: [{ prompt: 'ok?', input: ['A'], required: ['A'] }, {}],
};

const steps: readonly unknown[] = [
  'echo',
  { id: 'a', run: 'echo', outputs: [{ name: 'x' }, { name: 'y', type: 'json' }] },
  { run: 'echo', with: { shell: 'bash', shell_args: ['-e'] } },
  { run: 'hello', with: { shell: 'nix-shell', shell_packages: ['hello'] } },
  { command: ['make', 'make check'] },
  { script: 'a\nb\n', shell: 'bash' },
  { command: 'python3', script: 'print(1)\n' },
  { exec: 'ls -l' },
  { executor: { type: 'docker', config: { image: 'alpine' } }, command: 'ls' },
  { executor: 'command', command: 'ls', shell: 'bash', shell_args: ['-e'] },
  { type: 'router', value: '${X}', routes: { a: ['target'] } },
  { type: 'chat', llm: { provider: 'openai', model: 'a' }, messages: [{ role: 'user', content: 'hi' }] },
  { run: 'hello', shell: 'nix-shell', shell_packages: ['hello'] },
  { action: 'router.route', with: { value: '${X}', routes: { 're:^a': 'target' } } },
  { executor: { type: 'http', config: { timeout: 5, headers: { A: 'b' } } }, command: 'GET https://example.org' },
  { type: 'http', command: 'GET https://example.org', config: { silent: true } },
  { call: 'child', params: 'a=b' },
  { call: 'child', params: { a: 'b' } },
  { action: 'exec', with: { command: 'ls', args: ['-l', 5] } },
  { action: 'noop' },
  { action: 'log.write', with: { message: 'x' } },
  {
    action: 'http.request',
    with: { method: 'POST', url: 'https://example.org', headers: { A: 'b' }, json: true, body: '{}' },
  },
  { action: 'dag.run', with: { dag: 'child', params: 'a=b' } },
  { action: 'dag.run', with: { dag: 'child', params: ['a=b', { c: 'd' }] }, parallel: ['a', 'b'] },
  {
    action: 'dag.run',
    with: { dag: 'child', params: { a: '${ITEM}' } },
    parallel: '${params.items}',
    worker_selector: selector[1],
  },
  {
    action: 'dag.enqueue',
    with: { dag: 'child', queue: 'q' },
    parallel: { items: [{ a: 'b' }, { a: 'c' }], max_concurrent: 5 },
  },
  { action: 'docker.run', with: { image: 'alpine', command: 'ls' } },
  { action: 'container.run', with: { image: 'alpine', command: ['ls', '-l'], auto_remove: true } },
  { action: 'ssh.run', with: { user: 'a', host: 'b', command: 'ls' } },
  { action: 'mail.send', with: { from: 'a@b.org', to: 'c@d.org', subject: 'x', message: 'y', attachments: ['a.txt'] } },
  { action: 'jq.filter', with: { filter: '.a', data: { a: 1 } } },
  { action: 'template.render', with: { template: 'a {{ .b }}', data: { b: 1 }, output: 'x.txt' } },
  { action: 'data.convert', with: { from: 'csv', to: 'json', input: 'a.csv', has_header: true } },
  { action: 'data.pick', with: { from: 'json', select: '.a', data: '{"a": 1}' } },
  { id: 'w', action: 'outputs.write', with: { values: { a: 1, b: [2] } } },
  { action: 'file.write', with: { path: 'a', content: 'b', mode: '0644' } },
  { action: 'file.copy', with: { source: 'a', destination: 'b', recursive: true, overwrite: '${params.x}' } },
  { action: 'artifact.write', with: { path: 'a/b.txt', content: 'c' } },
  { action: 'wait.duration', with: { duration: '5m' } },
  { action: 'wait.until', with: { until: '2027-01-01T00:00:00Z' } },
  { action: 'wait.file', with: { path: '/a', state: 'missing', poll_interval: '2s' } },
  { action: 'wait.http', with: { url: 'https://example.org', status: 200 } },
  { action: 'state.get', with: { key: 'a', default: 5 } },
  { action: 'state.set', with: { key: 'a', value: { b: 1 }, scope: 'global' } },
  { action: 'git.checkout', with: { repository: 'https://example.org/a.git', path: 'a', ref: 'main', depth: 1 } },
  { action: 'postgres.query', with: { dsn: '${DSN}', query: 'select 1', max_rows: 5 } },
  { action: 'sqlite.query', with: { dsn: 'a.db', query: 'select ?', params: [1] } },
  { action: 'sqlite.import', with: { dsn: 'a.db', input_file: 'a.csv', table: 't', has_header: true } },
  { action: 'chat.completion', with: { prompt: 'hi', provider: 'openai', model: 'a', temperature: 0.5 } },
  {
    id: 'ask',
    action: 'human.task',
    with: { prompt: 'ok?', form: { type: 'object', properties: { a: { type: 'string' } } } },
  },
  {
    foreach: {
      items: ['a', 'b'],
      as: 'x',
      key: '${foreach.x}',
      max_concurrent: 2,
      steps: [{ id: 'b', run: 'echo ${foreach.x}' }],
    },
  },
  { foreach: { items: '${params.list}', steps: ['echo'] } },
];

const validate: ValidateFunction = new Ajv({ strict: false }).compile(dagSchema());

function check(dag: unknown): { readonly errors: readonly string[]; readonly refusals: readonly string[] } {
  const errors = parseDag(stringify(dag)).findings.filter(({ severity }) => severity === 'error');
  validate(JSON.parse(JSON.stringify(dag)));
  const refusals = (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  return { errors: errors.map(({ code, message }) => `${code}: ${message}`), refusals };
}

const isRead = { errors: [], refusals: [] };
const each = (forms: Forms): [string, string, unknown][] =>
  Object.entries(forms).flatMap(([key, values]) =>
    values.map((value): [string, string, unknown] => [key, JSON.stringify(value), value]),
  );

describe('reader and schema accept every form of the language', () => {
  it.each(each(dagForms))('%s of a DAG: %s', (key, _, value) => {
    expect(check({ [key]: value, steps: ['echo'] })).toEqual(isRead);
  });

  it.each(each(stepForms))('%s of a step: %s', (key, _, value) => {
    expect(check({ steps: [{ id: 'x', run: 'echo', [key]: value }] })).toEqual(isRead);
  });

  it.each(steps.map((step) => [JSON.stringify(step), step] as const))('the step %s', (_, step) => {
    expect(check({ steps: [step, { id: 'target', run: 'echo' }] })).toEqual(isRead);
  });

  it('a map of steps, a chain with groups, and arguments of a shell', () => {
    expect(check({ steps: { first: 'echo', second: { run: 'echo', depends: 'first' } } })).toEqual(isRead);
    expect(check({ shell: 'bash', shell_args: ['-e'], steps: ['a'] })).toEqual(isRead);
    expect(check({ type: 'chain', steps: ['a', ['b', { run: 'c' }], 'd'] })).toEqual(isRead);
  });

  it.each([
    ['DAG', Object.keys(dagKind.keys).filter((key) => key !== 'steps' && key !== 'shell_args'), dagForms],
    ['step', Object.keys(stepKind.keys), { ...stepForms, ...Object.fromEntries(listKeys(steps)) }],
  ])('every key of a %s has an example here', (_, keys, forms) => {
    expect(keys.filter((key) => !Object.hasOwn(forms, key))).toEqual([]);
  });
});

/** Picks a few keys, each in one form and under any of its spellings. */
function someKeys(forms: Forms, spellings: ReadonlyMap<string, string>): fc.Arbitrary<Record<string, unknown>> {
  const names = [...spellings].filter(([, name]) => Object.hasOwn(forms, name));
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 6, selector: ([, name]) => name })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(([, name]) => fc.constantFrom(...(forms[name] ?? []))))
        .map((values) => Object.fromEntries(chosen.map(([spelling], index) => [spelling, values[index]]))),
    );
}

describe('forms together, in any spelling', () => {
  it('are accepted by the schema when the reader accepts them', () => {
    let accepted = 0;
    const step = fc.oneof(
      fc.constantFrom(...steps),
      someKeys(stepForms, stepKind.spellings).map((keys) => ({ run: 'echo', ...keys })),
    );
    const dag = fc.record({
      root: someKeys(dagForms, dagKind.spellings),
      steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(dag, (parts) => {
        const whole = { ...parts.root, steps: parts.steps };
        const { errors, refusals } = check(whole);
        if (errors.length > 0) return;
        accepted += 1;
        expect(refusals).toEqual([]);
      }),
      { numRuns: 500 },
    );
    // Otherwise the property would prove nothing.
    expect(accepted).toBeGreaterThan(50);
  });
});

function listKeys(maps: readonly unknown[]): readonly (readonly [string, readonly unknown[]])[] {
  return maps
    .flatMap((map) => (typeof map === 'object' && map !== null ? Object.keys(map) : []))
    .map((key) => [key, []]);
}
