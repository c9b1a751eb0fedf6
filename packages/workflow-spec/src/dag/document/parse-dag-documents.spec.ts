import { parseDag } from './parse-dag';

const oneStep = 'steps: [echo hi]\n';

describe('parseDag', () => {
  describe('YAML', () => {
    it('reads values through aliases', () => {
      const { dag, findings } = parseDag('env: &shared {A: 1}\nsteps:\n  - {name: a, run: x, env: *shared}\n');
      expect(findings).toEqual([]);
      expect(dag.steps[0]?.env).toEqual([{ name: 'A', value: '1' }]);
    });

    it('reports an error in a value repeated by aliases once', () => {
      const text = `type: graph
steps:
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

    it('keeps numbers and words as written, even under an older YAML version', () => {
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
