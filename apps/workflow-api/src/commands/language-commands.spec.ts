import { writeFile } from 'node:fs/promises';
import { dagSchema } from '@weir/workflow-spec/editor';
import { allExamples } from '../examples/examples';
import { useCommands } from './testing/use-commands';

const { home, begin, run } = useCommands();

describe('weir validate', () => {
  it('describes good files', async () => {
    await expect(run('validate', home().file('dags', 'hello.yaml'))).resolves.toEqual({
      exitCode: 0,
      out: 'ok: 1 file, 1 DAG, 1 step',
      errors: '',
    });
  });

  it('names every error of a bad file', async () => {
    await writeFile(home().file('bad.yaml'), 'stepz: 1\nsteps:\n  - run: a\n    depends: b\n');
    const { exitCode, out, errors } = await run('validate', home().file('bad.yaml'));

    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(errors).toMatch(/^Validation failed for .*bad\.yaml\n {2}- \[1:1\] .*\n {2}- \[4:14\] /);
  });
});

describe('weir validate --format', () => {
  const bad = 'stepz: 1\nsteps:\n  - run: a\n    depends: b\n';

  it('json: prints findings and DAGs of all files, also of those that cannot be read', async () => {
    await writeFile(home().file('bad.yaml'), bad);
    const good = home().file('dags', 'hello.yaml');
    const files = [good, home().file('bad.yaml'), home().file('none.yaml')];
    const { exitCode, out, errors } = await run('validate', '--format', 'json', ...files);

    expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: '' });
    expect(JSON.parse(out)).toEqual({
      files: [
        expect.objectContaining({ file: good, valid: true, findings: [], localDags: [] }),
        expect.objectContaining({
          file: files[1],
          valid: false,
          findings: [
            expect.objectContaining({ code: 'unknown_key', line: 1, startByte: 0, endByte: 5 }),
            expect.objectContaining({ code: 'unknown_dependency', line: 4 }),
          ],
          dag: expect.objectContaining({
            name: 'bad',
            steps: [expect.objectContaining({ name: 'step_1' })],
          }) as unknown,
        }),
        { file: files[2], valid: false, problem: 'there is no such file', findings: [] },
      ],
    });
  });

  it('does not count a folder as one of the files', async () => {
    const { exitCode, errors } = await run('validate', home().file('dags'));

    expect(exitCode).toBe(1);
    expect(errors).toContain('it is a folder or a device, not a file');
  });

  it('sarif: prints a log with the same findings', async () => {
    await writeFile(home().file('bad.yaml'), bad);
    const { exitCode, out } = await run('validate', '--format', 'sarif', 'bad.yaml', 'none.yaml');

    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'weir', version: '1.2.3' } },
          results: [{ ruleId: 'unknown_key' }, { ruleId: 'unknown_dependency' }, { ruleId: 'file_unreadable' }],
        },
      ],
    });
  });
});

describe('the base configuration', () => {
  it('is inherited by validate and start', async () => {
    await writeFile(home().file('base.yaml'), 'env:\n  GREETING: from the base\n');
    await writeFile(home().file('dags', 'env.yaml'), 'steps:\n  - run: test "$GREETING" = "from the base"\n');

    await expect(run('start', 'env')).resolves.toMatchObject({ exitCode: 0 });
  });

  it('makes both refuse when it has errors, or is named but missing', async () => {
    await writeFile(home().file('base.yaml'), 'groop: x\n');
    const file = home().file('dags', 'hello.yaml');
    const refusal = new RegExp(
      `^Validation failed for .*\\n  - \\[1:1\\] the base configuration ${home().file('base.yaml')} .*: \\[1:1\\] `,
    );

    for (const words of [
      ['validate', file],
      ['start', 'hello'],
    ]) {
      await expect(run(...words)).resolves.toMatchObject({
        exitCode: 1,
        errors: expect.stringMatching(refusal) as string,
      });
    }
    const command = begin(['validate', file], { WEIR_BASE_CONFIG: 'elsewhere.yaml' });
    await expect(command.exitCode).resolves.toBe(1);
    expect(command.errors()).toContain('there is no such file');
  });
});

describe('weir schema', () => {
  it('prints the schema of DAG files', async () => {
    const { exitCode, out } = await run('schema');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual(dagSchema());
  });

  it('prints a part of it that stands alone', async () => {
    const { out } = await run('schema', 'dag', 'steps.retry_policy');
    expect(JSON.parse(out)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
    expect(out).toContain('"interval_sec"');
  });

  it.each([
    ['another schema', ['schema', 'cat'], 'There is no schema "cat"; there is "dag".'],
    [
      'a key that is not there',
      ['schema', 'dag', 'steps.retri_policy.limit'],
      'There is no key "retri_policy" in "steps" (did you mean "retry_policy"?).',
    ],
    ['a wrong first key', ['schema', 'dag', 'stepps'], 'There is no key "stepps" in a DAG (did you mean "steps"?).'],
  ])('refuses %s', async (_, words, message) => {
    await expect(run(...words)).resolves.toEqual({ exitCode: 1, out: '', errors: `weir: ${message}` });
  });
});

describe('weir example', () => {
  it('lists the examples', async () => {
    const { exitCode, out } = await run('example');
    expect(exitCode).toBe(0);
    for (const { fileName, about } of allExamples) expect(out).toMatch(new RegExp(`^  ${fileName} +${about}$`, 'm'));
  });

  it.each(allExamples)('prints $fileName as a file that validate accepts', async ({ fileName, spec }) => {
    const { exitCode, out } = await run('example', fileName);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: spec.trimEnd() });
    await writeFile(home().file('printed.yaml'), out);
    await expect(run('validate', 'printed.yaml')).resolves.toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^ok: 1 file, \d DAGs?, \d steps$/) as string,
      errors: '',
    });
  });

  it('refuses an unknown name', async () => {
    await expect(run('example', 'merge-source')).resolves.toEqual({
      exitCode: 1,
      out: '',
      errors: 'weir: There is no example "merge-source" (did you mean "merge-sources"?).',
    });
  });
});
