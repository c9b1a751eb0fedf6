import type { Finding } from '../../source/findings/finding';
import { hasErrors } from '../../source/findings/format-finding';
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
});
