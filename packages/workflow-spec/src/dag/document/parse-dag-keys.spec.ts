import type { Finding } from '../../source/findings/finding';
import { formatFinding, hasErrors } from '../../source/findings/format-finding';
import { parseDag } from './parse-dag';

const codes = (findings: readonly Finding[]) => findings.map((finding) => finding.code);
const oneStep = 'steps: [echo hi]\n';

describe('parseDag', () => {
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

    it('refuses resources as unsupported and describes it', () => {
      const { findings } = parseDag(`resources: {}\n${oneStep}`);
      expect(codes(findings)).toEqual(['unsupported_key']);
      expect(findings[0]?.message).toMatch(/^"\w+" \(.{10,}\) is not supported by this version$/);
    });

    it.each(['action: s3.copy\n    with: {bucket: x}', 'tools: [other]', 'executor: agent'])(
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

    it('takes the keys of a merge key that the map does not have', () => {
      const { dag, findings } = parseDag(
        'type: graph\nsteps:\n  - &base {name: a, run: x, timeout_sec: 5}\n  - {<<: *base, name: b, depends: a}\n',
      );
      expect(findings).toEqual([]);
      expect(dag.steps[1]).toMatchObject({ name: 'b', depends: ['a'], timeoutSec: 5, run: dag.steps[0]?.run });
    });

    it('takes the first of the keys that several merged maps have, at any depth', () => {
      const { dag, findings } = parseDag(`env: &one {A: 1, B: 1}
steps:
  - run: x
    env: &two {<<: *one, B: 2, C: 2}
  - {run: x, depends: [], env: {<<: [*two, *one], D: 4}}
`);
      expect(findings).toEqual([]);
      expect(dag.steps[1]?.env).toEqual([
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
        { name: 'C', value: '2' },
        { name: 'D', value: '4' },
      ]);
    });

    it.each(['text', '[{run: x}, 1]', '*none'])('refuses %s under a merge key', (value) => {
      const { findings } = parseDag(`steps:\n  - {<<: ${value}, run: x}\n`);
      expect(codes(findings)).toContain('merge_key');
    });

    it('reports an error in merged keys at its location, once', () => {
      const { findings } = parseDag(
        'type: chain\nsteps:\n  - &base {run: x, timeout_sec: -1}\n  - {<<: *base, name: b}\n  - {<<: *base, name: c}\n',
      );
      expect(findings.map(({ code, line }) => [code, line])).toEqual([['invalid_value', 3]]);
    });
  });

  describe('type', () => {
    const types = (text: string) => {
      const { dag, findings } = parseDag(text);
      return [dag.type, codes(findings).filter((code) => code !== 'deprecated_key')];
    };

    it.each([
      ['an older key of a step', 'steps: [{command: a}, {run: b}]'],
      ['the older spelling of a key of a step', 'steps: [{run: a, continueOn: failed}, b]'],
      ['an older key of the DAG', 'tags: old\nsteps: [a, b]'],
    ])('is chain where %s shows a file of 1.x, with a warning', (_, text) => {
      expect(types(text)).toEqual(['chain', ['chain_assumed']]);
    });

    it('is chain where a list of steps is nested', () => {
      expect(types('steps: [a, [b, c], d]')).toEqual(['chain', []]);
    });

    it('stays graph where nothing shows the version of the file, with a warning and its fix', () => {
      const text = 'name: a\nsteps: [a, b]\n';
      const [finding] = parseDag(text).findings;
      expect(types(text)).toEqual(['graph', ['graph_assumed']]);
      expect(finding).toMatchObject({ line: 2, fix: { text: 'type: graph\n', line: 2, column: 1, endColumn: 1 } });
    });

    it.each([
      ['a type', 'type: graph\nsteps: [{command: a}, {command: b}]'],
      ['a dependency', 'steps: [{id: a, command: a}, {command: b, depends: a}]'],
      ['an empty list of dependencies', 'steps: [{command: a}, {command: b, depends: []}]'],
      ['a single step', 'steps: [{command: a}]'],
      ['a router', 'steps: [{action: router.route, with: {value: a, routes: {a: [b]}}}, {name: b, run: b}]'],
    ])('is graph without a warning where %s gives the order', (_, text) => {
      expect(types(text)).toEqual(['graph', []]);
    });

    it('is inherited from the base configuration where the file has none', () => {
      const { dag, findings } = parseDag('steps: [a, b]', { base: { settings: {}, type: 'chain' } });
      expect([dag.type, findings]).toEqual(['chain', []]);
    });

    it('names the known types where it is another one', () => {
      const [finding] = parseDag(`type: agents\n${oneStep}`).findings;
      expect(finding).toMatchObject({ code: 'invalid_value', line: 1, column: 7, fix: { text: 'agent' } });
      expect(finding?.message).toContain('must be one of: graph, chain, agent, build');
    });
  });
});
