import { parseDag } from '../../dag/document/parse-dag';
import { dagNamePattern, isDagName } from '../../keys/dag-keys/dag-name';

const steps = 'steps: [x]\n';
const read = (text: string) => parseDag(`${text}\n${steps}`);
const messages = (text: string) => read(text).findings.map((finding) => finding.message);

describe('labels', () => {
  it.each([
    ['labels: " Beta, alpha ,alpha,"', ['alpha', 'beta']],
    ['labels: [Team=Data, "path=a/b"]', ['path=a/b', 'team=data']],
    ['labels: {team: Data, empty: , n: 1}', ['empty', 'n=1', 'team=data']],
    ['labels: 2024', ['2024']],
    ['labels:', []],
  ])('of %s are %j', (line, labels) => {
    const { dag, findings } = read(line);
    expect([dag.labels, findings]).toEqual([labels, []]);
  });

  it.each([
    [`labels: ${'k'.repeat(64)}`, 'longer than 63'],
    [`labels: k=${'v'.repeat(256)}`, 'longer than 255'],
    ['labels: [-x]', 'begins with a letter or digit'],
    ['labels: ["a b"]', 'a key is'],
    ['labels: ["a=b c"]', 'a value is'],
    ['labels: [[a]]', 'must be a string'],
    ['labels: {a: [b]}', 'must be a string'],
  ])('%s are refused', (line, phrase) => {
    expect(messages(line)).toEqual([expect.stringContaining(phrase)]);
  });

  it('exclude tags', () => {
    const found = messages('labels: a\ntags: b');
    expect(found).toContain('labels and deprecated tags cannot both be set');
  });

  it('are allowed next to empty tags', () => {
    expect(read('labels: a\ntags: []').findings.map((finding) => finding.code)).toEqual(['deprecated_key']);
  });

  it.each([
    ['labels: workspace=Ops', 'ops'],
    ['labels: [workspace=a, workspace=b]', undefined],
    ['labels: workspace=default', undefined],
    ['labels: [workspace=a.b, workspace=c]', 'c'],
    ['labels: other=x', undefined],
  ])('%s give the workspace %s', (line, workspace) => {
    expect(read(line).dag.workspace).toBe(workspace);
  });
});

describe('env', () => {
  it.each(['env: {B: 1, A: two}', 'env: [{B: 1}, {A: two}]', 'env: [B=1, A=two]', 'env: [{B: 1, A: two}]'])(
    '%s keeps the order of the file',
    (line) => {
      const { dag, findings } = read(line);
      expect(dag.env).toEqual([
        { name: 'B', value: '1' },
        { name: 'A', value: 'two' },
      ]);
      expect(findings).toEqual([]);
    },
  );

  it('keeps everything after the first equals sign', () => {
    expect(read('env: ["A=b=c d"]').dag.env).toEqual([{ name: 'A', value: 'b=c d' }]);
  });

  it.each([
    ['env: {1A: x}', 'invalid environment variable name "1A"'],
    ['env: ["A B=x"]', 'invalid environment variable name "A B"'],
    ['env: [NOVALUE]', 'env[0] must be NAME=value or a map'],
    ['env: {A: [x]}', 'env.A must be a string, but is a list'],
    ['env: text', 'env must be a map, or a list'],
  ])('%s is refused', (line, phrase) => {
    expect(messages(line)).toEqual([expect.stringContaining(phrase)]);
  });
});

describe('shell', () => {
  it.each([
    ['shell: bash -eu', ['bash', '-eu']],
    [`shell: 'python3 -c "import sys"'`, ['python3', '-c', 'import sys']],
    ['shell: [bash, "-o", pipefail]', ['bash', '-o', 'pipefail']],
    ['shell: bash\nshell_args: [-x]', ['bash', '-x']],
  ])('%s is %j', (line, shell) => {
    const { dag, findings } = read(line);
    expect([dag.shell, findings]).toEqual([shell, []]);
  });

  it.each([
    ['shell: ""', 'must not be empty'],
    ['shell: []', 'shell must name a program'],
    ['shell: {a: b}', 'must be a string or a list'],
    [`shell: 'bash "-x'`, 'quote that is not closed'],
    ['shell_args: [-x]', 'shell is required'],
  ])('%s is refused', (line, phrase) => {
    expect(messages(line)).toEqual([expect.stringContaining(phrase)]);
  });
});

describe('max_active_steps', () => {
  it.each(['-1', '1.5', 'many', '.inf', '[1]'])('refuses %s', (value) => {
    expect(messages(`max_active_steps: ${value}`)).toEqual([
      expect.stringContaining('max_active_steps must be an integer, 0 or more'),
    ]);
  });
});

describe('isDagName', () => {
  it.each(['a', 'a.b_c-D1', 'x'.repeat(40)])('accepts %s', (name) => {
    expect([isDagName(name), dagNamePattern.test(name)]).toEqual([true, true]);
  });

  it.each(['', '.', '...', 'a b', 'a/b', 'é', 'a\n', 'x'.repeat(41)])('refuses %j', (name) => {
    expect(isDagName(name)).toBe(false);
  });
});
