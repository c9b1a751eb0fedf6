import type { Finding } from '../findings/finding';
import { formatFinding, hasErrors } from '../findings/format-finding';
import { parseDag } from './parse-dag';

const codes = (findings: readonly Finding[]) => findings.map((finding) => finding.code);
const oneStep = 'steps: [echo hi]\n';

describe('parseDag', () => {
  it('reads a file with every supported key into the canonical form', () => {
    const { dag, findings } = parseDag(`
name: nightly-report
description: Builds the report
group: reports
labels: {Team: Data, workspace: ops}
type: graph
params: [{name: region, default: eu}, "two words"]
env:
  - BASE: /srv
  - OUT=\${BASE}/out
working_dir: /srv/report
shell: bash -e
shell_args: [-u]
schedule: ["0 3 * * *", {kind: at, at: "2027-01-01T09:00:00+01:00"}]
max_active_steps: 2
steps:
  - name: fetch data
    id: fetch
    description: Gets it
    run: ./fetch
  - name: build
    run: |
      set -e
      make all
    depends: fetch
    env: {CI: true}
    working_dir: build
    with: {shell: python3 -u}
  - run: [echo one, echo two]
    depends: [fetch, build]
`);

    expect(findings).toEqual([]);
    expect(dag).toEqual({
      name: 'nightly-report',
      description: 'Builds the report',
      group: 'reports',
      labels: ['team=data', 'workspace=ops'],
      workspace: 'ops',
      type: 'graph',
      params: [
        { name: 'region', type: 'string', default: 'eu', required: false },
        { type: 'string', default: 'two words', required: false },
      ],
      defaultParams: 'region=eu "two words"',
      env: [
        { name: 'BASE', value: '/srv' },
        { name: 'OUT', value: '${BASE}/out' },
      ],
      workingDir: '/srv/report',
      shell: ['bash', '-e', '-u'],
      schedule: [
        { kind: 'cron', expression: '0 3 * * *' },
        { kind: 'at', at: '2027-01-01T09:00:00+01:00' },
      ],
      maxActiveSteps: 2,
      steps: [
        {
          name: 'fetch data',
          id: 'fetch',
          description: 'Gets it',
          run: { kind: 'commands', commands: ['./fetch'] },
          depends: [],
          env: [],
        },
        {
          name: 'build',
          run: { kind: 'script', script: 'set -e\nmake all\n' },
          depends: ['fetch data'],
          env: [{ name: 'CI', value: 'true' }],
          workingDir: 'build',
          shell: ['python3', '-u'],
        },
        {
          name: 'step_3',
          run: { kind: 'commands', commands: ['echo one', 'echo two'] },
          depends: ['fetch data', 'build'],
          env: [],
        },
      ],
    });
  });

  it('gives ten located findings for ten errors in one file', () => {
    const { dag, findings } = parseDag(`name: bad name!
type: tree
labels: "-x"
schedule: 61 * * * *
max_active_steps: many
env:
  - 1A=x
params:
  - {name: count, type: integer, default: ten}
colour: red
steps:
  - name: a
    depends: b
    run: echo a
  - name: c
    run: echo
    script: echo
`);

    const errors = findings.filter((finding) => finding.severity === 'error');
    expect(errors.map((finding) => `${finding.line}:${finding.column} ${finding.code} ${finding.path}`)).toEqual([
      '1:7 invalid_dag_name /name',
      '2:7 invalid_value /type',
      '3:9 invalid_label /labels',
      '4:11 invalid_schedule /schedule',
      '5:19 invalid_type /max_active_steps',
      '7:5 invalid_env_name /env/0',
      '9:43 invalid_param /params/0/default',
      '10:1 unknown_key /colour',
      '13:14 unknown_dependency /steps/0/depends',

      '17:5 conflicting_keys /steps/1/script',
    ]);
    expect(dag.steps.map((step) => step.name)).toEqual(['a', 'c']);
  });

  it.each([
    ['', 'empty_document'],
    ['# only a comment\n', 'empty_document'],
    ['---\n---\n', 'empty_document'],
    ['just words', 'invalid_type'],
    ['- a\n- b', 'invalid_type'],
    ['{', 'yaml_syntax'],
  ])('returns a DAG with only a name for %j', (text, code) => {
    const { dag, findings } = parseDag(text, { name: 'file' });

    expect(dag).toEqual({
      name: 'file',
      labels: [],
      type: 'graph',
      params: [],
      env: [],
      schedule: [],
      maxActiveSteps: 0,
      steps: [],
    });
    expect(codes(findings)).toContain(code);
    expect(hasErrors(findings)).toBe(true);
  });

  describe('name', () => {
    it.each([
      [oneStep, {}, 'dag'],
      [oneStep, { name: 'file' }, 'file'],
      [`name: own\n${oneStep}`, { name: 'file' }, 'own'],
      [`name: own\n${oneStep}`, { name: 'file', overrideName: true }, 'file'],
      [`name: 2024\n${oneStep}`, {}, '2024'],
    ])('of %j with %j is %s', (text, options, name) => {
      const result = parseDag(text, options);
      expect([result.dag.name, result.findings]).toEqual([name, []]);
    });

    it.each([
      ['x'.repeat(41), 'name must be less than 40 characters'],
      ['a/b', 'alphanumeric characters, dashes, dots, and underscores'],
      ['..', 'not of dots alone'],
    ])('refuses %s', (name, phrase) => {
      const inFile = parseDag(`name: ${name}\n${oneStep}`, { name: 'file' });
      expect(inFile.dag.name).toBe('file');
      expect(inFile.findings).toEqual([expect.objectContaining({ code: 'invalid_dag_name', line: 1, column: 7 })]);
      expect(inFile.findings[0]?.message).toContain(phrase);
      expect(codes(parseDag(oneStep, { name }).findings)).toEqual(['invalid_dag_name']);
    });
  });

  describe('keys', () => {
    it.each([
      ['workingDir: /x', 'working_dir'],
      ['maxActiveSteps: 1', 'max_active_steps'],
      ['tags: a', 'labels'],
      ['shell: sh\nshellArgs: [-e]', 'shell_args'],
    ])('reads the old spelling %j and names %s', (line, replacement) => {
      const { findings } = parseDag(`${line}\n${oneStep}`);
      expect(findings).toEqual([expect.objectContaining({ code: 'deprecated_key', severity: 'warning' })]);
      expect(findings[0]?.message).toContain(`write "${replacement}"`);
      expect(hasErrors(findings)).toBe(false);
    });

    it('reads the older keys of a step', () => {
      const { dag } = parseDag('steps:\n  - {name: a, command: echo a, dir: /x}\n  - {name: b, script: echo b}\n');
      expect(dag.steps).toEqual([
        expect.objectContaining({ run: { kind: 'commands', commands: ['echo a'] }, workingDir: '/x' }),
        expect.objectContaining({ run: { kind: 'commands', commands: ['echo b'] } }),
      ]);
    });

    it.each(['s3', 'redis', 'kubernetes', 'harness', 'harnesses', 'tools', 'tasks'])(
      'refuses %s as unsupported and describes it',
      (key) => {
        const { findings } = parseDag(`${key}: {}\n${oneStep}`);
        expect(codes(findings)).toEqual(['unsupported_key']);
        expect(findings[0]?.message).toMatch(/^"\w+" \(.{10,}\) is not supported by this version$/);
      },
    );

    it.each(['action: s3.list\n    with: {bucket: x}', 'tools: [other]', 'executor: kubernetes'])(
      'refuses a step with %j once',
      (lines) =>
        expect(codes(parseDag(`steps:\n  - name: a\n    ${lines}\n`).findings)).toEqual([
          expect.stringMatching(/^unsupported_(key|value)$/),
        ]),
    );

    it('suggests the nearest key for an unknown one', () => {
      const { findings } = parseDag(`descripton: x\n${oneStep}`);
      expect(findings.map(formatFinding)).toEqual([
        '[1:1] the DAG has invalid keys: "descripton" (did you mean "description"?)',
      ]);
    });

    it('suggests nothing for a key without a similar one', () => {
      expect(parseDag(`zzzzzzzz: x\n${oneStep}`).findings[0]?.message).toBe('the DAG has invalid keys: "zzzzzzzz"');
    });

    it('treats a key without a value as missing', () => {
      const keys = ['name', 'description', 'labels', 'params', 'env', 'shell', 'schedule', 'max_active_steps'];
      const text = `${keys.map((key) => `${key}:\n`).join('')}steps:\n  - {run: x, name: , depends: , env: }\n`;
      expect(parseDag(text)).toEqual(parseDag('steps: [x]'));
    });

    it('refuses two spellings of one key', () => {
      expect(codes(parseDag(`working_dir: a\nworkingDir: b\n${oneStep}`).findings)).toEqual(['conflicting_keys']);
    });

    it('keeps the first of two equal keys', () => {
      const { dag, findings } = parseDag(`description: a\ndescription: b\n${oneStep}`);
      expect(dag.description).toBe('a');
      expect(findings).toEqual([expect.objectContaining({ code: 'duplicate_key', line: 2, column: 1 })]);
    });

    it('does not merge a merge key', () => {
      const { dag, findings } = parseDag('steps:\n  - &base {name: a, run: x}\n  - {<<: *base, name: b, run: y}\n');
      expect(codes(findings)).toEqual(['merge_key']);
      expect(dag.steps.map((step) => step.name)).toEqual(['a', 'b']);
    });
  });

  describe('type', () => {
    it('reports a known type as unsupported', () => {
      const [finding] = parseDag(`type: agent\n${oneStep}`).findings;
      expect(finding).toMatchObject({ code: 'unsupported_value', line: 1, column: 7 });
      expect(finding?.message).toContain('must be one of: graph, chain');
    });
  });

  describe('YAML', () => {
    it('reads values through aliases', () => {
      const { dag, findings } = parseDag('env: &shared {A: 1}\nsteps:\n  - {name: a, run: x, env: *shared}\n');
      expect(findings).toEqual([]);
      expect(dag.steps[0]?.env).toEqual([{ name: 'A', value: '1' }]);
    });

    it('reports an error in a value repeated by aliases once', () => {
      const text = `steps:
  - {name: a, run: x, retry_policy: &again {limit: -1, interval_sec: 1, foo: 1}}
  - {name: b, run: x, retry_policy: *again}
  - {name: c, run: x, retry_policy: *again}
`;
      expect(parseDag(text).findings.map(({ path }) => path)).toEqual([
        '/steps/0/retry_policy/limit',
        '/steps/0/retry_policy/foo',
      ]);
    });

    it('locates an empty item at its dash', () => {
      const { findings } = parseDag(
        'steps:\n  -\n  - x\n  # - none\n  -   # - later\n\n  -\n  - {run: x, depends: [""]}\n',
      );
      expect(findings.map(({ line, column, endColumn }) => [line, column, endColumn])).toEqual([
        [2, 3, 4],
        [5, 3, 4],
        [7, 3, 4],
        [8, 24, 26],
      ]);
    });

    it('keeps numbers and words as they are written, also under an older YAML version', () => {
      const { dag } = parseDag('%YAML 1.1\n---\nenv: {A: 1.10, B: yes, C: 0o17, D: ~, E: "q"}\nsteps: [x]\n');
      expect(dag.env.map((entry) => entry.value)).toEqual(['1.10', 'yes', '0o17', '', 'q']);
    });

    it('counts columns and lines the same with a byte order mark and Windows line ends', () => {
      const { findings } = parseDag('name: a\r\nsteps: [x]\r\nfoo: 1\r\n');
      expect(findings).toEqual([expect.objectContaining({ line: 3, column: 1, endLine: 3, endColumn: 4 })]);
      expect(parseDag('\uFEFFname: a\nsteps: [x]').findings).toEqual([]);
      // Byte offsets count from the start of the file, including the byte order mark.
      expect(parseDag('\uFEFFfoo: 1\nsteps: [x]').findings).toEqual([
        expect.objectContaining({ line: 1, column: 1, endColumn: 4, startByte: 3, endByte: 6 }),
      ]);
      expect(parseDag('\uFEFF').findings).toEqual([expect.objectContaining({ line: 1, column: 1 })]);
    });
  });

  describe('further documents', () => {
    it('are local DAGs with their own findings', () => {
      const result = parseDag(`name: main\n${oneStep}---\nname: child\nsteps: [{run: x, foo: 1}]\n---\n`);
      expect(result.dag.name).toBe('main');
      expect(result.localDags).toEqual([expect.objectContaining({ name: 'child' })]);
      expect(result.findings).toEqual([
        expect.objectContaining({ code: 'unknown_key', path: '/steps/0/foo', line: 5 }),
      ]);
    });

    it('need a name', () => {
      const [finding] = parseDag(`name: main\n${oneStep}---\n${oneStep}`).findings;
      expect(finding).toMatchObject({ code: 'missing_dag_name', line: 4 });
      expect(finding?.message).toContain('must have a name in multi-DAG file');
    });

    it('need unique names', () => {
      const document = `name: main\n${oneStep}`;
      const [finding] = parseDag(`${document}---\n${document}`).findings;
      expect(finding).toMatchObject({ code: 'duplicate_dag_name', line: 4, column: 7 });
      expect(finding?.message).toContain('duplicate DAG name');
    });
  });
});
