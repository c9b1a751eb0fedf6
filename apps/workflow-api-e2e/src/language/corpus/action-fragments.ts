import type { Fragment } from './fragment';

interface Call {
  readonly with?: string;
  readonly beside?: string;
  readonly writes?: string;
  readonly dag?: string;
  readonly refused?: Readonly<Record<string, string>>;
}

const path = 'path: /tmp/a';
const remote = 'host: h, user: u, source: a, destination: b';

/** Each action with the settings that it requires. What writes the file is executed. */
const calls: Readonly<Record<string, Call>> = {
  exec: { with: 'command: cp, args: [/dev/null, "@OUT@"]', writes: '' },
  'js.run': { with: 'script: "return input.a", input: {a: 1}', beside: 'stdout: "@OUT@"', writes: '1\n' },
  'log.write': { with: 'message: hi' },
  noop: {},
  'http.request': { with: 'url: "https://a.example"' },
  'jq.filter': { with: 'filter: .a, data: {a: 1}', beside: 'stdout: "@OUT@"', writes: '1\n' },
  'template.render': { with: 'template: "a {{ .b }}", data: {b: 1}, output: "@OUT@"', writes: 'a 1' },
  'outputs.write': { with: 'values: {a: 1}', beside: 'id: w_1' },
  'dag.run': { with: 'dag: child, params: x=1' },
  'dag.enqueue': { with: 'dag: child, queue: q' },
  'docker.run': { with: 'image: alpine, command: date' },
  'container.run': { with: 'image: alpine, command: date' },
  'ssh.run': { with: 'host: h, user: u, command: date' },
  'mail.send': { with: 'from: a@example.org, to: b@example.org, subject: s, message: m' },
  'file.copy': { with: 'source: /dev/null, destination: /tmp/b' },
  'file.move': { with: 'source: /tmp/a, destination: /tmp/b' },
  'file.delete': { with: path },
  'file.list': { with: path },
  'file.mkdir': { with: path },
  'file.read': { with: path },
  'file.stat': { with: path },
  'file.write': { with: 'path: "@OUT@", content: hi', writes: 'hi' },
  'artifact.write': { with: 'path: a.txt, content: hi' },
  'artifact.read': { with: 'path: a.txt' },
  'artifact.list': { with: 'path: .' },
  'wait.duration': { with: 'duration: 1s' },
  'wait.until': { with: 'until: "2030-01-01T00:00:00Z"' },
  'wait.file': { with: 'path: /tmp/a, state: exists' },
  'wait.http': { with: 'url: "https://a.example", status: 200' },
  'state.get': { with: 'key: a, default: 1' },
  'state.set': { with: 'key: a, value: 1' },
  'state.delete': { with: 'key: a' },
  'state.list': { with: 'prefix: a' },
  'state.diff': { with: 'key: a, value: 1' },
  'router.route': {
    with: 'value: a, routes: {a: [target]}',
    dag: '  - {name: target, run: "true"}',
    refused: { chain: 'invalid_route', handler: 'not_in_handler', loop: 'unknown_step' },
  },
  'human.task': {
    with: 'prompt: "Go?"',
    beside: 'id: h_1',
    refused: { handler: 'not_in_handler', loop: 'human_task_not_allowed' },
  },
  'data.convert': { with: 'from: json, to: yaml, data: {a: 1}', beside: 'stdout: "@OUT@"', writes: 'a: 1\n' },
  'data.pick': { with: 'from: json, select: .a, data: {a: 1}', beside: 'stdout: "@OUT@"', writes: '1\n' },
  'git.checkout': { with: 'repository: "https://a.example/b.git", path: b' },
  'git.worktree.add': { with: 'path: b, branch: c' },
  'git.worktree.remove': { with: path },
  'postgres.query': { with: 'dsn: "postgres://a/b", query: select 1' },
  'sqlite.query': { with: 'dsn: ":memory:", query: select 1 as a', beside: 'stdout: "@OUT@"', writes: '{"a":1}\n' },
  'clickhouse.query': { with: 'dsn: "http://a/b", query: select 1' },
  'postgres.import': { with: 'dsn: "postgres://a/b", input_file: a.csv, table: t' },
  'sqlite.import': { with: 'dsn: a.db, input_file: a.csv, table: t' },
  'archive.create': { with: 'source: /tmp/a, destination: /tmp/a.zip' },
  'archive.extract': { with: 'source: /tmp/a.zip, destination: /tmp/b' },
  'archive.list': { with: 'source: /tmp/a.zip' },
  'chat.completion': { with: 'provider: openai, model: a, prompt: hi' },
  'sftp.upload': { with: remote },
  'sftp.download': { with: remote },
  's3.upload': { with: 'bucket: b, key: k, source: a' },
  's3.download': { with: 'bucket: b, key: k, destination: a' },
  's3.list': { with: 'bucket: b' },
  's3.delete': { with: 'bucket: b, key: k' },
  'k8s.run': { with: 'image: alpine, command: date' },
  'kubernetes.run': { with: 'image: alpine, command: date' },
  'harness.run': { with: 'prompt: hi, provider: claude, model: a, max_turns: 3, fallback: [{provider: codex}]' },
  'redis.ping': { with: 'url: "redis://h"' },
  'redis.get': { with: 'url: "redis://h", key: a' },
  'redis.set': { with: 'url: "redis://h", key: a, value: b, ttl: 5' },
  'redis.del': { with: 'url: "redis://h", key: a' },
  'redis.exists': { with: 'url: "redis://h", key: a' },
  'redis.expire': { with: 'url: "redis://h", key: a, ttl: 5' },
  'redis.ttl': { with: 'url: "redis://h", key: a' },
  'redis.incr': { with: 'url: "redis://h", key: a' },
  'redis.keys': { with: 'url: "redis://h", pattern: "a*"' },
  'redis.hget': { with: 'url: "redis://h", key: a, field: b' },
  'redis.hset': { with: 'url: "redis://h", key: a, field: b, value: c' },
  'redis.hgetall': { with: 'url: "redis://h", key: a' },
  'redis.hdel': { with: 'url: "redis://h", key: a, field: b' },
  'redis.lpush': { with: 'url: "redis://h", key: a, value: b' },
  'redis.rpush': { with: 'url: "redis://h", key: a, value: b' },
  'redis.lpop': { with: 'url: "redis://h", key: a' },
  'redis.rpop': { with: 'url: "redis://h", key: a' },
  'redis.lrange': { with: 'url: "redis://h", key: a, start: 0, stop: -1' },
  'redis.llen': { with: 'url: "redis://h", key: a' },
  'redis.sadd': { with: 'url: "redis://h", key: a, value: b' },
  'redis.srem': { with: 'url: "redis://h", key: a, value: b' },
  'redis.smembers': { with: 'url: "redis://h", key: a' },
  'redis.zadd': { with: 'url: "redis://h", key: a, value: b, score: 1' },
  'redis.zrange': { with: 'url: "redis://h", key: a, start: 0, stop: -1' },
  'redis.publish': { with: 'url: "redis://h", channel: a, message: b' },
  'redis.eval': { with: 'url: "redis://h", script: return 1' },
  'redis.pipeline': { with: 'url: "redis://h", commands: [[set, a, b]]' },
  'browser.run': { with: 'url: "https://a.example", do: [{goto: "https://a.example"}]' },
  'browser.extract': { with: 'url: "https://a.example", instruction: a, schema: {type: object}' },
  'computer.run': { with: 'do: [{wait: 2s}]' },
  'computer.extract': { with: 'instruction: a, schema: {type: object}' },
  'mail.search': { with: 'mailbox: a@example.org' },
  'mail.organize': { with: 'mailbox: a@example.org, emails: a, mark: read' },
  'xlsx.read': { with: 'path: a.xlsx' },
  'xlsx.info': { with: 'path: a.xlsx' },
  'xlsx.list_sheets': { with: 'path: a.xlsx' },
  'xlsx.write': { with: 'path: a.xlsx, rows: [{a: 1}]' },
  'xlsx.append': { with: 'path: a.xlsx, rows: [{a: 1}]' },
  'xlsx.update_rows': { with: 'path: a.xlsx, rows: [{a: 1}], key: a' },
  'xlsx.validate': { with: 'path: a.xlsx, required: [a]' },
  'xlsx.write_cells': { with: 'path: a.xlsx, cells: {A1: 1}' },
  'xlsx.sheet': { with: 'path: a.xlsx, operation: add, sheet: a' },
  'xlsx.convert': { with: 'path: a.xlsx, output: a.csv' },
};

const lines = (...all: readonly (string | undefined)[]) => all.filter((line) => line !== undefined).join('\n');

/** Each call as a step. */
export const actionFragments: readonly Fragment[] = Object.entries(calls).map(
  ([row, { with: settings, beside, ...rest }]) => {
    const flow = settings === undefined ? undefined : `with: {${settings}}`;
    return { row, form: 'call', yaml: lines(`action: ${row}`, flow, beside), ...rest };
  },
);
