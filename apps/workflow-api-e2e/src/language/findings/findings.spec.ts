import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { describeFixtures } from '../../support/fixtures';
import { runWeir } from '../../support/weir-command';
import { startWeir, type Weir } from '../../support/weir-server';

describeFixtures('findings', __dirname);

const good = 'steps:\n  - run: echo\n';
const bad = 'stepz: 1\nsteps:\n  - run: echo\n    depends: nobody\n';
const old = 'steps:\n  - name: grüße 🚀\n    command: echo "${nobody.knows}"\n';

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly fix?: { readonly text: string; readonly line: number; readonly column: number };
}

interface SarifLog {
  readonly runs: readonly [
    {
      readonly results: readonly {
        readonly ruleId: string;
        readonly level: string;
        readonly locations: readonly [{ readonly physicalLocation: { readonly region: Record<string, number> } }];
      }[];
      readonly artifacts: readonly { readonly location: { readonly uri: string } }[];
    },
  ];
}

describe('weir validate', () => {
  let home: TemporaryFolder;

  beforeEach(async () => {
    home = temporaryFolder();
    for (const [name, text] of Object.entries({ good, bad, old })) await writeFile(home.file(`${name}.yaml`), text);
  });
  afterEach(() => home.remove());

  const validate = (...args: string[]) => runWeir(['validate', ...args], { home });
  const readFindings = async (...args: string[]): Promise<readonly Finding[]> => {
    const { stdout } = await validate('--format', 'json', ...args);
    return (
      JSON.parse(stdout) as { readonly files: readonly { readonly findings: readonly Finding[] }[] }
    ).files.flatMap(({ findings }) => findings);
  };

  describe('as text', () => {
    it('prints counts for a good file and ends with 0', async () => {
      await expect(validate('good.yaml')).resolves.toEqual({
        code: 0,
        stdout: expect.stringMatching(/^ok: /) as string,
        stderr: '',
      });
    });

    it('exits with 0 for a file with deprecated spellings, and warns on standard error', async () => {
      await expect(validate('old.yaml')).resolves.toEqual({
        code: 0,
        stdout: 'ok: 1 file, 1 DAG, 1 step, 1 warning\n',
        stderr: expect.stringMatching(/^old\.yaml: warning: \[3:5\] [^\n]*write "run"\n$/) as string,
      });
    });

    it('shows references that are left unchanged only on request', async () => {
      const { code, stdout, stderr } = await validate('--show-unresolved', 'old.yaml');

      expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok: 1 file, 1 DAG, 1 step, 1 warning\n' });
      expect(stderr).toMatch(/^old\.yaml: info: \[3:20\] .*nobody/m);
    });

    it('prints a heading and a bullet for each error of a bad file, and no usage', async () => {
      const { code, stdout, stderr } = await validate('bad.yaml');

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trimEnd().split('\n')).toEqual([
        'Validation failed for bad.yaml',
        expect.stringMatching(/^ {2}- \[1:1\] .*has invalid keys: "stepz"/),
        expect.stringMatching(/^ {2}- \[4:14\] .*depends on non-existent step "nobody"/),
      ]);
      expect(stderr).not.toMatch(/usage/i);
    });

    it('continues after an invalid file, and exits with 1 when one of them is invalid', async () => {
      const { code, stderr } = await validate('bad.yaml', 'none.yaml', 'good.yaml', 'old.yaml');

      expect(code).toBe(1);
      expect(stderr).toContain('Validation failed for bad.yaml');
      expect(stderr).toContain('Validation failed for none.yaml\n  - there is no such file\n');
      expect(stderr).toContain('old.yaml: warning:');
      expect(stderr).not.toContain('good.yaml');
    });

    it('finds ten errors at ten locations in one run', async () => {
      const file = path.join(__dirname, 'ten-mistakes.yaml');
      const { stderr } = await validate(file);
      const lines = stderr.trimEnd().split('\n').slice(1);
      const places = lines.map((line) => Number(/^ {2}- \[(\d+):\d+\] /.exec(line)?.[1]));

      expect(new Set(places).size).toBe(10);
      expect(lines).toHaveLength(10);
    });

    it('refuses an unknown format', async () => {
      const { code, stdout, stderr } = await validate('--format', 'xml', 'good.yaml');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/xml.*text, json, sarif/);
    });
  });

  describe('as JSON', () => {
    it('prints findings and DAGs on standard output, with the exit codes of text', async () => {
      const { code, stdout, stderr } = await validate('--format', 'json', 'good.yaml');

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        files: [
          {
            file: 'good.yaml',
            valid: true,
            findings: [],
            dag: expect.objectContaining({ name: 'good' }) as unknown,
            localDags: [],
          },
        ],
      });
      await expect(validate('--format', 'json', 'bad.yaml')).resolves.toMatchObject({ code: 1, stderr: '' });
    });

    it('reports byte offsets as well as lines and columns', async () => {
      const [warning] = await readFindings('old.yaml');
      const bytes = await readFile(home.file('old.yaml'));

      expect(bytes.subarray(warning?.startByte, warning?.endByte).toString()).toBe('command');
    });

    it('provides a fix that resolves the finding when it is applied', async () => {
      const [warning] = await readFindings('old.yaml');
      expect(warning?.fix).toMatchObject({ text: 'run', line: 3, column: 5 });
      await writeFile(home.file('old.yaml'), old.replace('command', warning?.fix?.text ?? ''));
      await expect(readFindings('old.yaml')).resolves.toEqual([]);
    });

    it('names the value by a JSON pointer', async () => {
      const findings = await readFindings('bad.yaml');
      expect(findings.map((finding) => finding.path)).toEqual(['/stepz', '/steps/0/depends']);
    });

    it('contains references that are left unchanged only on request', async () => {
      const severities = async (...args: string[]) =>
        (await readFindings(...args, 'old.yaml')).map(({ severity }) => severity);
      await expect(severities()).resolves.toEqual(['warning']);
      await expect(severities('--show-unresolved')).resolves.toEqual(['warning', 'info']);
    });
  });

  describe('as SARIF', () => {
    it('prints a log whose results are the findings of JSON', async () => {
      const files = ['bad.yaml', 'old.yaml', 'good.yaml'];
      const findings = await readFindings(...files);
      const { code, stdout, stderr } = await validate('--format', 'sarif', ...files);
      const [run] = (JSON.parse(stdout) as SarifLog).runs;

      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(run.artifacts.map(({ location }) => location.uri)).toEqual(files);
      expect(
        run.results.map(({ ruleId, level, locations: [place] }) => ({
          ruleId,
          level,
          ...place.physicalLocation.region,
        })),
      ).toEqual(
        findings.map(
          ({ code: ruleId, severity, line, column, startByte, endByte }) =>
            expect.objectContaining({
              ruleId,
              level: severity,
              startLine: line,
              startColumn: column,
              byteOffset: startByte,
              byteLength: endByte - startByte,
            }) as unknown,
        ),
      );
    });

    it('has a result for a missing file', async () => {
      const { code, stdout } = await validate('--format', 'sarif', 'none.yaml');
      expect(code).toBe(1);
      expect((JSON.parse(stdout) as SarifLog).runs[0].results).toMatchObject([{ ruleId: 'file_unreadable' }]);
    });
  });

  describe('and the API', () => {
    let weir: Weir;

    beforeAll(async () => {
      weir = await startWeir({ env: { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' } });
    }, 60_000);
    afterAll(() => weir.dispose());

    it.each(['ten-mistakes', 'two-documents', 'unicode-columns', 'unresolved-reference', 'open-quote'])(
      'report the same for %s',
      async (name) => {
        const file = path.join(__dirname, `${name}.yaml`);
        const spec = await readFile(file, 'utf8');
        const expected = await readFindings('--show-unresolved', file);
        const { body } = await weir.request('POST', '/dags/validate', { body: { spec, name } });
        const text = await validate(file);

        expect(body).toMatchObject({ findings: expected });
        const { errors } = body as { readonly errors: readonly string[] };
        const bullets = text.stderr.split('\n').filter((line) => line.startsWith('  - '));
        expect(bullets).toEqual(errors.map((error) => `  - ${error}`));
      },
    );

    it('refuse to store a spec with errors, with the same messages', async () => {
      const { status, body } = await weir.request('POST', '/dags', { body: { name: 'bad', spec: bad } });
      const [first] = await readFindings('bad.yaml');

      expect(status).toBe(400);
      expect(body).toMatchObject({
        reason: 'spec_invalid',
        message: expect.stringContaining(`[1:1] ${first?.message ?? ''}`) as string,
      });
    });

    it('show a file with errors, with the errors and the parts that could be read', async () => {
      await writeFile(path.join(weir.home.path, 'weir', 'dags', 'broken.yaml'), bad);
      const { status, body } = await weir.request('GET', '/dags/broken');
      const findings = await readFindings('bad.yaml');

      expect(status).toBe(200);
      expect(body).toMatchObject({
        errors: findings.map(({ line, column, message }) => `[${line}:${column}] ${message}`),
        dag: { steps: [{ name: 'step_1' }] },
      });
    });

    it('accept a DAG with unsupported parts, and refuse its start with the reason', async () => {
      const spec = 'steps:\n  - {name: a, run: echo, worker_selector: {gpu: yes}}\n';
      await expect(weir.request('POST', '/dags', { body: { name: 'later', spec } })).resolves.toMatchObject({
        status: 201,
      });
      await expect(weir.request('POST', '/dags/later/start', { body: {} })).resolves.toMatchObject({
        status: 501,
        body: {
          reason: 'dag_not_runnable',
          details: {
            parts: ['step "a": worker_selector of a step that calls no DAG'],
          },
        },
      });
    });

    it('serve the schema that the command prints', async () => {
      const response = await fetch(new URL('/schemas/dag.schema.json', weir.baseUrl));
      const { stdout } = await runWeir(['schema', 'dag'], { home });

      expect(await response.json()).toEqual(JSON.parse(stdout));
    });
  });
});
