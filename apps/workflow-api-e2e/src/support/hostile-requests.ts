import { gzipSync } from 'node:zlib';
import type { RequestOptions } from './weir-server';

export interface HostileRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly options?: RequestOptions;
  /** The statuses that are a clear refusal here. */
  readonly expected: readonly number[];
}

const spec = (text: string): RequestOptions => ({ body: { name: 'hostile', spec: text } });
const create = (name: string, text: string): HostileRequest => ({
  name,
  method: 'POST',
  path: '/dags',
  options: spec(text),
  expected: [400],
});
const raw = (
  name: string,
  rawBody: string | Uint8Array<ArrayBuffer>,
  expected: readonly number[],
  headers = {},
): HostileRequest => ({
  name,
  method: 'POST',
  path: '/dags/validate',
  options: { rawBody, headers },
  expected,
});
const get = (name: string, path: string, expected: readonly number[]): HostileRequest => ({
  name,
  method: 'GET',
  path,
  expected,
});
const start = (name: string, body: unknown, expected: readonly number[]): HostileRequest => ({
  name,
  method: 'POST',
  path: '/dags/victim/start',
  options: { body },
  expected,
});

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));

function billionLaughs(): string {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const items =
      level === 0
        ? 'lol, lol'
        : Array<string>(10)
            .fill(`*l${level - 1}`)
            .join(', ');
    return `l${level}: &l${level} [${items}]`;
  });
  return `${levels.join('\n')}\nsteps: *l11\n`;
}

const traversal: readonly HostileRequest[] = [
  get('dot segments in a DAG name', '/dags/..%2F..%2F..%2Fetc%2Fpasswd', [400, 404]),
  get('doubly encoded dot segments', '/dags/%252e%252e%252fpasswd', [400, 404]),
  get('backslashes in a DAG name', '/dags/..%5C..%5Csecret', [400, 404]),
  get('an absolute path as a DAG name', '/dags/%2Fetc%2Fpasswd', [400, 404]),
  get('a NUL byte in a DAG name', '/dags/victim%00.yaml', [400, 404]),
  get('a broken percent-encoding', '/dags/%E0%A4%A', [400]),
  get('two dots as a DAG name', '/dags/%2e%2e', [400, 404]),
  get('a DAG name of 5,000 characters', `/dags/${'a'.repeat(5000)}`, [400, 404]),
  get('an address of 20,000 characters', `/dags/${'a'.repeat(20_000)}`, [400, 404, 414, 431]),
  get('dot segments in a run id', '/dag-runs/victim/..%2F..%2Flog', [400, 404]),
  get('dot segments in a step name', '/dag-runs/victim/latest/steps/..%2F..%2F..%2Fetc%2Fpasswd/log', [404]),
  {
    name: 'a new DAG outside the folder',
    method: 'POST',
    path: '/dags',
    options: { body: { name: '../outside', spec: 'steps: [echo]' } },
    expected: [400],
  },
  {
    name: 'a new DAG named like a dot segment',
    method: 'POST',
    path: '/dags',
    options: { body: { name: '..' } },
    expected: [400],
  },
  {
    name: 'a new DAG with a line break in its name',
    method: 'POST',
    path: '/dags',
    options: { body: { name: 'a\nb' } },
    expected: [400],
  },
  {
    name: 'suspending a file outside the folder',
    method: 'POST',
    path: '/dags/..%2Fx/suspend',
    options: { body: { suspend: true } },
    expected: [400, 404],
  },
];

const yaml: readonly HostileRequest[] = [
  create('a YAML bomb of aliases', billionLaughs()),
  create('an alias to nothing', 'steps: *nothing'),
  create('an alias inside its own anchor', 'steps: &a [*a]'),
  create('100,000 open brackets', `steps: ${'['.repeat(100_000)}`),
  create('100,000 nested maps', '{a: '.repeat(100_000)),
  create('indentation 2,000 deep', Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')),
  create('duplicate keys', 'name: a\nname: b\nsteps:\n  - run: echo\n'),
  create('duplicate keys in a step', 'steps:\n  - run: echo\n    run: rm\n'),
  create('a merge key', 'base: &b {run: echo}\nsteps:\n  - <<: *b\n'),
  create('a tag that asks for code', 'steps: !!js/function "function () {}"'),
  create('a binary tag', 'steps: !!binary aGVsbG8='),
  create('control characters', 'steps:\n  - run: "a\u0000b"\n'),
  create('a tab as indentation', 'steps:\n\t- run: echo\n'),
  create('a text where a list belongs', 'steps: 12\n'),
  create('a list where a map belongs', '- a\n- b\n'),
  create('prototype keys', '__proto__:\n  polluted: true\nconstructor: {}\nsteps: [echo]\n'),
  create('a dependency cycle', 'steps:\n  - {name: a, run: x, depends: b}\n  - {name: b, run: x, depends: a}\n'),
  create('a step that depends on itself', 'steps:\n  - {name: a, run: x, depends: a}\n'),
  create('20,000 steps', `steps:\n${'  - run: x\n'.repeat(20_000)}`),
  create('a regular expression that never ends', 'params:\n  - name: A\n    pattern: "((a+)+"\nsteps: [echo]\n'),
  create('a spec longer than the limit', `# ${'x'.repeat(1_100_000)}\nsteps: [echo]\n`),
  create('an impossible cron text', 'schedule: "99 99 99 99 99"\nsteps: [echo]\n'),
];

const bodies: readonly HostileRequest[] = [
  raw('a body cut in half', '{"spec": "steps', [400]),
  raw('a body that is no JSON', 'steps: [echo]', [400]),
  raw('a body of white space', '   ', [400]),
  raw('an empty body', '', [400]),
  raw('a body that is not UTF-8', bytes('{"spec": "\xff\xfe\xfa"}'), [400]),
  raw('a body said to be UTF-16', '{"spec": ""}', [400], { 'content-type': 'application/json; charset=utf-16' }),
  raw('a body of another media type', 'spec=x', [400], { 'content-type': 'application/x-www-form-urlencoded' }),
  raw('a body of 20 MB', `{"spec": "${'x'.repeat(20_000_000)}"}`, [413]),
  raw('a body that unpacks to 50 MB', new Uint8Array(gzipSync(`{"spec": "${'x'.repeat(50_000_000)}"}`)), [413], {
    'content-encoding': 'gzip',
  }),
  raw('a body in an unknown encoding', '{}', [400], { 'content-encoding': 'rot13' }),
  raw('a body of 200,000 nested lists', `{"spec": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`, [400]),
  raw('a body that is a list', '[]', [400]),
  raw('a body that is null', 'null', [400]),
  raw('a number for a spec', '{"spec": 5}', [400]),
  raw('a body of prototype keys', '{"__proto__": {"spec": "x"}, "constructor": {}}', [400]),
];

const values: readonly HostileRequest[] = [
  start('a number for parameters', { params: 5 }, [400]),
  start('a list for a run id', { dagRunId: ['a'] }, [400]),
  start('dot segments in a run id to create', { dagRunId: '../../x' }, [400]),
  start('a run id of 65 characters', { dagRunId: 'a'.repeat(65) }, [400]),
  start('100,000 labels', { labels: Array<string>(100_000).fill('a') }, [400]),
  start('parameters with a NUL character', { params: 'A=\u0000' }, [400]),
  get('a page number beyond all numbers', '/dags?page=99999999999999999999', [400]),
  get('a repeated page number', '/dags?page=1&page=2', [400]),
  get('a workspace name with a quote', "/dags?workspace=a'b", [400]),
  get('a cursor of another shape', `/dag-runs?cursor=${Buffer.from('{"v":99}').toString('base64url')}`, [400]),
  get('a status that is no number', '/dag-runs?status=all', [400]),
  get('a date before all time', '/dag-runs?fromDate=-1', [400]),
  {
    name: 'a user with an object for a name',
    method: 'POST',
    path: '/users',
    options: { body: { username: { $ne: '' }, password: 'x', role: 'admin' } },
    expected: [400],
  },
  {
    name: 'a password of 5 MB',
    method: 'POST',
    path: '/auth/login',
    options: { body: { username: 'a', password: 'x'.repeat(5_000_000) } },
    expected: [413],
  },
  {
    name: 'a bearer value of 15,000 characters',
    method: 'GET',
    path: '/users',
    options: { token: 'a'.repeat(15_000) },
    expected: [401, 431],
  },
];

export const hostileRequests: readonly HostileRequest[] = [...traversal, ...yaml, ...bodies, ...values];
