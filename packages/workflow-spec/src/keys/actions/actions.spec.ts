import Ajv, { type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { createSchemaBook, referredName } from '../../shapes/json-schema/schema-book';
import { isSchema } from '../../shapes/json-schema/sub-schemas';
import { readDocuments } from '../../source/yaml/read-documents';
import { actionNames, actionsSchema, findAction } from './action-catalogue';
import { unsupportedAction } from './unsupported-action';

describe('settings of an action', () => {
  it.each<[string, string, unknown]>([
    ['exec', '{command: ls, args: [-l, "", 7]}', { command: 'ls', args: ['-l', '', '7'] }],
    ['http.request', '{method: get, url: "https://x.test/a?b=1"}', { method: 'GET', url: 'https://x.test/a?b=1' }],
    ['http.request', '{method: POST, url: "${env.URL}/x", body: {a: [1, true]}, timeout: 1.5}', undefined],
    [
      'http.request',
      '{method: $METHOD, url: "http://h", timeout: "${params.t}", skip_tls_verify: "${params.s}"}',
      undefined,
    ],
    ['http.request', '{method: PUT, url: "http://h", form: {a: 1}, files: {f: a.txt, g: [b, c]}}', undefined],
    ['chat.completion', '{prompt: a, provider: ollama}', { prompt: 'a', provider: 'local' }],
    ['dag.run', '{dag: child, params: "a=1 b=2"}', { dag: 'child', params: 'a=1 b=2' }],
    ['dag.run', '{dag: child, params: [x, {k: [1]}]}', { dag: 'child', params: ['x', { k: [1] }] }],
    ['dag.enqueue', '{dag: "${params.d}", params: {n: 1}, queue: big}', undefined],
    ['mail.send', '{from: a@b.test, to: c@d.test, subject: s, message: m, attachments: a.pdf}', undefined],
    ['jq.filter', '{filter: ".a", data: {a: 1}, raw: true}', { filter: '.a', data: { a: 1 }, raw: true }],
    ['jq.filter', '{filter: now}', { filter: 'now' }],
    ['noop', '{}', {}],
    ['template.render', '{template_ref: "${steps.a.outputs.t}", data: {x: 1}}', undefined],
    [
      'data.convert',
      '{from: csv, to: json, input: "a,b", has_header: true, headers: [a, b], delimiter: ";"}',
      undefined,
    ],
    ['data.pick', '{from: json, select: .a, data: [1], headers: false}', undefined],
    ['outputs.write', '{values: {total: 3, _b: [x]}}', { values: { total: 3, _b: ['x'] } }],
    ['file.write', '{path: a, content: {x: 1}, format: json, mode: 0640}', undefined],
    ['file.write', '{path: a, content: t, mode: 0o755}', { path: 'a', content: 't', mode: '755' }],
    ['file.copy', '{source: a, destination: b, dry_run: true}', undefined],
    ['artifact.write', '{path: reports/a..b.html, content: x}', undefined],
    ['wait.duration', '{duration: 1h30m}', { duration: '1h30m' }],
    ['wait.duration', '{duration: 2.5}', { duration: 2.5 }],
    ['wait.until', '{until: 2026-12-31T23:59:59.5+01:00}', undefined],
    ['wait.http', '{url: "https://h/x", status: [200, 204], poll_interval: 10s}', undefined],
    ['router.route', '{value: "${A}", routes: {"re:^v[0-9]+$": [a, b], x: c}}', undefined],
    ['state.set', '{key: k, value: 0, expected_version: 3, scope: custom, namespace: n}', undefined],
    ['git.checkout', '{repository: "git@h:r", path: src, depth: 1, ssh_key_path: k, ssh_passphrase: p}', undefined],
    ['postgres.query', '{dsn: d, query: select 1, params: [1, null], isolation_level: serializable}', undefined],
    ['sqlite.import', '{dsn: d, input_file: a.csv, table: t, on_conflict: replace}', undefined],
    ['chat.completion', '{messages: [{role: user, content: hi}], model: [a, {name: b, provider: c}]}', undefined],
    ['human.task', '{prompt: Is it fine?}', undefined],
    ['js.run', '{code: "() => 1", language: typescript, input: [1], timeout_sec: 5, memory_mb: 64}', undefined],
    ['ssh.run', '{host: h, command: [a, b], bastion: {host: j, port: 2222}, timeout: 10s}', undefined],
    ['container.run', '{image: "alpine:3.20", container_name: a, command: echo hi}', undefined],
  ])('%s reads %s', (name, text, expected) => {
    const { found, codes } = read(name, text);
    expect(codes).toEqual([]);
    if (expected === undefined) expect(found).toBeDefined();
    else expect(found).toEqual(expected);
    expect(isValid(name, text)).toBe(true);
  });

  it.each([
    ['exec', '{args: [a]}', 'missing_key', 'command is required in the with of exec'],
    ['exec', '{comand: a, command: b}', 'unknown_key', 'has invalid keys: "comand" (did you mean "command"?)'],
    ['http.request', '{method: FETCH, url: "http://h"}', 'invalid_value', 'must be one of: GET'],
    ['http.request', '{method: GET, url: ftp://h}', 'invalid_value', 'must be a URL'],
    ['http.request', '{method: GET, url: /relative}', 'invalid_value', 'must be a URL'],
    ['http.request', '{method: GET, url: "http://h", timeout: -1}', 'invalid_value', 'must be 0 or more'],
    ['http.request', '{method: GET, url: "http://h", timeout: 1m}', 'invalid_type', 'must be a number'],
    ['http.request', '{method: GET, url: "http://h", headers: [a]}', 'invalid_type', 'must be a map'],
    ['dag.run', '{dag: "", params: 1}', 'invalid_value', 'must not be empty'],
    ['dag.run', '{dag: a, params: [[1]]}', 'invalid_type', 'must be a string'],
    ['dag.run', '{dag: a, queue: b}', 'unknown_key', 'has invalid keys: "queue"'],
    ['mail.send', '{from: a, to: [], subject: s}', 'missing_key', 'message is required'],
    ['noop', '{a: 1}', 'unknown_key', 'has invalid keys'],
    ['outputs.write', '{values: {}}', 'invalid_value', 'at least one output'],
    ['outputs.write', '{values: {1a: x}}', 'invalid_output_name', 'invalid output name "1a"'],
    ['template.render', '{template_ref: "a ${b}"}', 'invalid_value', 'must be one reference'],
    ['template.render', '{output: x}', 'missing_key', 'template or template_ref is required'],
    ['data.convert', '{from: xml, to: json, data: 1}', 'invalid_value', 'must be one of: json, yaml'],
    ['data.convert', '{from: csv, to: json, data: a, delimiter: ab}', 'invalid_value', 'must be one character'],
    ['file.write', '{path: a, content: b, mode: rw-r--r--}', 'invalid_value', 'octal'],
    ['mail.send', '{from: a, to: [], subject: s, message: m}', 'invalid_value', 'at least one'],
    ['file.write', '{path: a, content: b, mode: [6]}', 'invalid_type', 'must be a string'],
    ['artifact.read', '{path: ../a}', 'invalid_value', 'must be a relative path'],
    ['artifact.read', '{path: /a}', 'invalid_value', 'must be a relative path'],
    ['artifact.list', '{path: "a\\\\..\\\\b"}', 'invalid_value', 'must be a relative path'],
    ['wait.duration', '{duration: soon}', 'invalid_value', 'must be seconds, or a time such as 30s'],
    ['wait.duration', '{duration: -5}', 'invalid_value', 'must be 0 or more'],
    ['wait.until', '{until: 2026-12-31}', 'invalid_value', 'RFC 3339'],
    ['wait.http', '{url: "http://h", status: 99}', 'invalid_value', 'from 100 to 599'],
    ['wait.http', '{url: "http://h", status: 99999999999999999999}', 'invalid_value', 'from 100 to 599'],
    ['router.route', '{value: a, routes: {}}', 'invalid_value', 'at least one route'],
    ['state.get', '{key: k, scope: run}', 'invalid_value', 'must be one of: dag, root_dag'],
    ['git.checkout', '{repository: r, path: p, depth: -1}', 'invalid_value', '0 or more'],
    ['sqlite.query', '{dsn: d, query: q, advisory_lock: l}', 'unknown_key', 'has invalid keys'],
    ['postgres.import', '{dsn: d, input_file: a, table: t, batch_size: 0}', 'invalid_value', 'from 1 to'],
    ['chat.completion', '{prompt: a, temperature: 3}', 'invalid_value', 'from 0 to 2'],
    ['chat.completion', '{messages: [{role: boss, content: x}]}', 'invalid_value', 'must be one of: system'],
    ['chat.completion', '{prompt: a, thinking: {effort: much}}', 'invalid_value', 'must be one of: minimal, low'],
    ['chat.completion', '{prompt: a, thinking: {budget_tokens: 0}}', 'invalid_value', 'from 1 to'],
    ['chat.completion', '{prompt: a, web_search: {max_uses: 0}}', 'invalid_value', 'from 1 to'],
    ['human.task', '{form: {}}', 'missing_key', 'prompt is required'],
    ['js.run', '{language: python, code: x}', 'invalid_value', 'must be one of: javascript, typescript'],
    ['js.run', '{language: typescript}', 'missing_key', 'code or file or script is required'],
    ['ssh.run', '{host: h, port: 70000, command: x}', 'invalid_value', 'from 1 to 65535'],
  ])('%s refuses %s', (name, text, code, phrase) => {
    const { codes, messages } = read(name, text);
    expect(codes).toContain(code);
    expect(messages).toContainEqual(expect.stringContaining(phrase));
    expect(isValid(name, text)).toBe(false);
  });

  // Beyond the schema for editors: what depends on other keys, or on how a number is written.
  it.each([
    ['http.request', '{method: GET, url: "http://h", body: a, form: {b: c}}', 'form cannot be used together with body'],
    ['jq.filter', '{filter: ., data: 1, input: "2"}', 'input cannot be used together with data'],
    ['js.run', '{code: a, file: b}', 'file cannot be used together with code'],
    ['js.run', '{code: a, script: b}', 'script cannot be used together with code'],
    ['js.run', '{script: a, input: b, input_file: c}', 'input_file cannot be used together with input'],
    ['js.run', '{script: a, timeout: 1s, timeout_sec: 1}', 'timeout cannot be used together with timeout_sec'],
    [
      'chat.completion',
      '{prompt: a, thinking: {}, reasoning_effort: low}',
      'reasoning_effort cannot be used together with thinking',
    ],
    [
      'chat.completion',
      '{prompt: a, web_search: {allowed_domains: [a], blocked_domains: [b]}}',
      'blocked_domains cannot be used together with allowed_domains',
    ],
    ['file.write', '{path: a, content: {x: 1}}', 'content must be a string unless format is json'],
    ['router.route', '{value: a, routes: {"re:(": b}}', 'not a valid RE2 regular expression'],
    ['state.set', '{key: k, value: 1, scope: custom}', 'namespace is required when scope is custom'],
    ['state.set', '{key: k, value: 1, create_only: true, expected_version: 2}', 'create_only cannot be used together'],
    ['git.checkout', '{repository: r, path: p, token: t, password: x}', 'password cannot be used together with token'],
    ['git.checkout', '{repository: r, path: p, ssh_passphrase: x}', 'ssh_key_path is required with ssh_passphrase'],
    ['wait.until', '{until: 2026-02-30T00:00:00Z}', 'RFC 3339'],
    ['file.write', '{path: a, content: b, mode: 999}', 'octal'],
    ['wait.duration', '{duration: .inf}', 'must be 0 or more'],
  ])('%s also refuses %s', (name, text, phrase) => {
    expect(read(name, text).messages).toEqual([expect.stringContaining(phrase)]);
  });

  it('accepts an old spelling and reports the present one', () => {
    const { found, codes } = read('http.request', '{method: GET, url: "http://h", skipTlsVerify: true}');
    expect(codes).toEqual(['deprecated_key']);
    expect(found).toMatchObject({ skip_tls_verify: true });
  });

  it('keeps the valid settings when others are invalid', () => {
    const { found, codes } = read('http.request', '{method: GET, url: 5, silent: maybe, debug: true}');
    expect(codes).toEqual(['invalid_value', 'invalid_type']);
    expect(found).toEqual({ method: 'GET', debug: true });
  });
});

describe('the schema of settings', () => {
  it.each(actionNames())('of %s takes every value that is read without a finding', (name) => {
    const validate = getValidator(name);
    fc.assert(
      fc.property(settingsArbitrary(listKeys(name)), (settings) => {
        const text = stringify(settings);
        const refused = new Set(read(name, text).paths.map(firstKey));
        validate(parse(text));
        const found = (validate.errors ?? []).map(({ instancePath }) => firstKey(instancePath));
        expect(found.filter((key) => key !== '' && !refused.has(key))).toEqual([]);
      }),
    );
  });
});

describe('the catalogue', () => {
  it('finds an alias under its canonical name', () => {
    expect(findAction('container.run')?.name).toBe('docker.run');
    expect(findAction('docker.stop')).toBeUndefined();
    expect(findAction('constructor')).toBeUndefined();
  });

  it('gives a schema of the settings for every name', () => {
    const schemas = actionsSchema(createSchemaBook());
    expect(schemas.map((schema) => /"const":"([^"]+)"/.exec(JSON.stringify(schema))?.[1])).toEqual(actionNames());
  });

  it.each([
    ['redis.bitcount', 'commands of a redis server'],
    ['s3.copy', 'objects of an s3 store'],
    ['browser.run', 'pages in a browser: run a script of Playwright in a step with a container'],
    [
      'computer.run',
      'the screen of a desktop computer: run a program that drives it, or a container with a virtual screen',
    ],
    ['xlsx.chart', 'workbooks'],
  ])('knows %s as unsupported', (name, what) => {
    expect(unsupportedAction(name)).toBe(what);
  });

  it.each(['http.request', 'nightly_report', 'user@', '@1', ''])(
    'does not know %j as a name of the language',
    (name) => {
      expect(unsupportedAction(name)).toBeUndefined();
    },
  );
});

function read(name: string, text: string) {
  const { documents, report } = readDocuments(text);
  const [found] = documents.map((document) => findAction(name)?.with.read(document));
  const findings = report.list();
  return {
    found,
    paths: findings.map((finding) => finding.path),
    codes: findings.map((finding) => finding.code),
    messages: findings.map((finding) => finding.message),
  };
}

const validators = new Map<string, ValidateFunction>();

function isValid(name: string, text: string): boolean {
  return getValidator(name)(parse(text));
}

function getValidator(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known) return known;
  const { schema, definitions } = buildSchema(name);
  const validate = new Ajv({ strict: false, allErrors: true }).compile({ ...schema, definitions });
  validators.set(name, validate);
  return validate;
}

function buildSchema(name: string) {
  const book = createSchemaBook();
  const schema: JsonSchema = findAction(name)?.with.schema(book) ?? {};
  return { schema, definitions: Object.fromEntries(book.definitions) };
}

/** The keys in every spelling. */
function listKeys(name: string): readonly string[] {
  const { schema, definitions } = buildSchema(name);
  const definition = definitions[referredName(schema) ?? ''];
  return isSchema(definition?.properties) ? Object.keys(definition.properties) : [];
}

function firstKey(path: string): string {
  return path.split('/')[1] ?? '';
}

const scalars = [
  'a',
  'json',
  '${params.x}',
  '$X',
  'https://h',
  '5m',
  ' ',
  '',
  '80',
  'a:b',
  '../a',
  0,
  1,
  80,
  -1,
  2.5,
  true,
  null,
];
const scalar = fc.constantFrom<unknown>(...scalars);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'A', 'name', 'test', 'host', 'b c'), scalar, { maxKeys: 2 }),
);

function settingsArbitrary(keys: readonly string[]) {
  return keys.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 });
}
