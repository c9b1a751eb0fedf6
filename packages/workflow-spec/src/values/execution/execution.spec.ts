import Ajv from 'ajv';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parseDag } from '../../dag/document/parse-dag';
import { dagSchema } from '../../dag/json-schema/dag-schema';

const work = 'steps: [{name: a, run: x}]\n';

const isInSchema = new Ajv({ strict: false }).compile(dagSchema());

function read(keys: string) {
  const { dag, findings } = parseDag(`${keys}\n${work}`);
  const errors = findings.filter(({ severity }) => severity === 'error');
  return {
    dag,
    isInSchema: isInSchema(parse(`${keys}\n${work}`)),
    codes: errors.map((finding) => finding.code),
    messages: errors.map((finding) => finding.message),
  };
}

describe('container', () => {
  it.each([
    ['alpine:3.20', { image: 'alpine:3.20' }],
    ['{image: "${params.image}"}', { image: '${params.image}' }],
    ['{exec: my-db}', { exec: 'my-db' }],
    [
      '{exec: my-db, user: 1000, working_dir: /app, env: {A: 1}}',
      { exec: 'my-db', user: '1000', working_dir: '/app', env: ['A=1'] },
    ],
    ['{container_name: db, user: root}', { exec: 'db', user: 'root' }],
    ['{container_name: db, exec: {User: root}}', { name: 'db', exec: { User: 'root' } }],
    ['{image: a, name: n, pull_policy: true}', { image: 'a', name: 'n', pull_policy: 'always' }],
    ['{image: a, pull_policy: fallback}', { image: 'a', pull_policy: 'fallback' }],
    ['{image: a, env: [A=1, {B: "${A}"}]}', { image: 'a', env: ['A=1', 'B=${A}'] }],
    ['{image: a, volumes: ["./data:/data:ro", "cache:/c"]}', { image: 'a', volumes: ['./data:/data:ro', 'cache:/c'] }],
    [
      '{image: a, ports: [80, 8080:80, "127.0.0.1:53:53/udp", "${P}:80"]}',
      { image: 'a', ports: ['80', '8080:80', '127.0.0.1:53:53/udp', '${P}:80'] },
    ],
    [
      '{image: a, network: {Driver: x}, host: {Memory: 5}}',
      { image: 'a', network: { Driver: 'x' }, host: { Memory: 5 } },
    ],
    [
      '{image: a, startup: command, command: [sleep, 60]}',
      { image: 'a', startup: 'command', command: ['sleep', '60'] },
    ],
    [
      '{image: a, restart_policy: on-failure:3, shell: bash -e}',
      { image: 'a', restart_policy: 'on-failure:3', shell: ['bash', '-e'] },
    ],
    [
      '{image: a, wait_for: healthy, healthcheck: {test: [CMD, true], interval: 5s, retries: 3}}',
      { image: 'a', wait_for: 'healthy', healthcheck: { test: ['CMD', 'true'], interval: '5s', retries: 3 } },
    ],
  ])('is read from %s', (text, expected) => {
    const { dag, codes, isInSchema } = read(`container: ${text}`);
    expect([codes, isInSchema]).toEqual([[], true]);
    expect(dag.container).toEqual(expected);
  });

  it.each([
    ['[a]', 'container must be a string'],
    ['my image', 'must be the name of an image'],
    ['{}', 'image or exec is required'],
    ['{env: {A: 1}}', 'image or exec is required'],
    ['{image: a, exec: b}', 'exec cannot be used together with image'],
    ['{exec: b, volumes: ["a:b"]}', 'volumes cannot be used together with exec'],
    ['{exec: b, pull_policy: always}', 'pull_policy cannot be used together with exec'],
    ['{image: a, name: b, container_name: c}', 'container_name cannot be used together with name'],
    ['{image: a, pull_policy: sometimes}', 'must be one of: always, never, missing, fallback'],
    ['{image: a, volumes: [data]}', 'must be source:target'],
    ['{image: a, volumes: "a:b"}', 'must be a list'],
    ['{image: a, ports: [0]}', 'each from 1 to 65535'],
    ['{image: a, ports: ["80:65536"]}', 'each from 1 to 65535'],
    ['{image: a, platform: linux}', 'must be a platform such as linux/amd64'],
    ['{image: a, startup: command}', 'command is required when startup is command'],
    ['{image: a, log_pattern: "("}', 'not a valid RE2 regular expression'],
    ['{image: a, restart_policy: sometimes}', 'must be one of: no, always'],
    ['{image: a, healthcheck: {retries: 3}}', 'test is required in the healthcheck'],
    ['{image: a, env: {1A: x}}', 'invalid environment variable name "1A"'],
    ['{imaeg: a, exec: b}', 'the container has invalid keys: "imaeg" (did you mean "image"?)'],
  ])('is refused as %s', (text, phrase) => {
    expect(read(`container: ${text}`).messages).toEqual([expect.stringContaining(phrase)]);
  });

  it('of a step is read together with its command', () => {
    const { dag, findings } = parseDag('steps:\n  - name: a\n    container: node:24\n    run: node -v\n');
    expect(findings).toEqual([]);
    expect(dag.steps[0]).toMatchObject({ container: { image: 'node:24' } });
  });

  it('accepts a port mapping exactly when its ports are valid', () => {
    const part = fc.integer({ min: 0, max: 70_000 });
    fc.assert(
      fc.property(part, part, (outer, inner) => {
        const { codes } = read(`container: {image: a, ports: ["${outer}:${inner}"]}`);
        expect(codes.length === 0).toBe([outer, inner].every((port) => port >= 1 && port <= 65_535));
      }),
    );
  });
});

describe('worker_selector', () => {
  it.each([
    ['local', 'local'],
    ['{gpu: true, zone: "${params.zone}"}', { gpu: 'true', zone: '${params.zone}' }],
  ])('is read from %s', (text, expected) => {
    const { dag, codes, isInSchema } = read(`worker_selector: ${text}`);
    expect([codes, isInSchema]).toEqual([[], true]);
    expect(dag.workerSelector).toEqual(expected);
  });

  it.each([
    ['remote', 'must be local or a map of labels'],
    ['[gpu]', 'must be local or a map of labels'],
    ['{}', 'must name at least one label'],
    ['{"a b": c}', 'invalid worker label "a b"'],
    ['{gpu: [1]}', 'must be a string'],
  ])('is refused as %s', (text, phrase) => {
    expect(read(`worker_selector: ${text}`).messages).toEqual([expect.stringContaining(phrase)]);
  });
});

describe('registry_auths', () => {
  it.each<[string, unknown]>([
    ['{ghcr.io: {username: me, password: "${TOKEN}"}}', { 'ghcr.io': { username: 'me', password: '${TOKEN}' } }],
    ['\'{"auths": {}}\'', '{"auths": {}}'],
    ['${AUTHS}', '${AUTHS}'],
  ])('are read from %s', (text, expected) => {
    const { dag, codes, isInSchema } = read(`registry_auths: ${text}`);
    expect([codes, isInSchema]).toEqual([[], true]);
    expect(dag.registryAuths).toEqual(expected);
  });

  it('never shows a string that may contain a password', () => {
    const { messages } = read('registry_auths: "{secret-word"');
    expect(messages).toEqual(["field 'registry_auths': must be a map, or a JSON string of one"]);
  });
});

describe('defaults of actions', () => {
  it('are read with the keys of the action', () => {
    const { dag, codes, isInSchema } = read(
      'ssh: {user: me, host: h, port: 2222}\nllm: {model: [a, b], temperature: 0}',
    );
    expect([codes, isInSchema]).toEqual([[], true]);
    expect(dag.ssh).toEqual({ user: 'me', host: 'h', port: 2222 });
    expect(dag.llm).toEqual({ model: ['a', 'b'], temperature: 0 });
  });

  it.each([
    ['ssh: {command: ls}', 'the ssh has invalid keys: "command"'],
    ['ssh: {bastion: {bastion: {host: a}}}', 'the bastion has invalid keys'],
    ['llm: {prompt: hi}', 'the llm has invalid keys: "prompt"'],
  ])('are refused as %s', (text, phrase) => {
    expect(read(text).messages).toEqual([expect.stringContaining(phrase)]);
  });
});
