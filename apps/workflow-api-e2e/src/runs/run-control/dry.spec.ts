import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { homeWithDags, skipExamples } from './support/run-control-home';

// Each case is several processes, one after the other.
jest.setTimeout(60_000);

describe('weir dry', () => {
  let home: TemporaryFolder;

  beforeAll(async () => {
    home = await homeWithDags();
  });
  afterAll(() => home.remove());

  const dry = (...args: readonly string[]) => runWeir(['dry', ...args], { home, env: skipExamples });
  const dagFile = async (text: string): Promise<string> => {
    await writeFile(home.file('dry.yaml'), text);
    return home.file('dry.yaml');
  };

  it('prints the steps in the order of execution, and runs none', async () => {
    const file = await dagFile(
      'steps:\n  - {name: last, run: "touch ran", depends: [left, first]}\n  - {name: left, run: "touch ran", depends: first}\n  - {name: first, run: "touch ran"}\n',
    );
    const { code, stdout, stderr } = await dry(file);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      'steps:\n  1. first: command\n  2. left: command, after first\n  3. last: command, after ',
    );
    expect(existsSync(home.file('ran'))).toBe(false);
    expect((await runWeir(['history'], { home, env: skipExamples })).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('shows resolved parameters, and does not evaluate values that are computed when the run starts', async () => {
    const file = await dagFile(
      'params:\n  - {name: A, default: one}\n  - {name: B, type: integer, default: 2}\n  - {name: C, eval: "`touch evaluated`"}\nsteps:\n  - run: "true"\n',
    );
    const { stdout } = await dry(file, '--params', 'A="two words"');

    expect(stdout).toContain('params:\n  A="two words"\n  B="2"\n  C is computed when the run starts\n');
    expect(existsSync(home.file('evaluated'))).toBe(false);
  });

  it('accepts the flags of start', async () => {
    const flags = ['--run-id', 'r', '--queue', 'q', '--trigger-type', 'manual', '--schedule-time', '2026-01-02'];
    const { code, stdout } = await dry('hello', ...flags, '--', 'WHO=you');

    expect(code).toBe(0);
    expect(stdout).toContain('run:\n  id r\n  queue q\n  trigger manual\n  occurrence 2026-01-02T00:00:00.000Z\n');
    expect(stdout).toContain('WHO="you"');
  });

  it.each([
    ['a DAG with errors', ['broken'], 'Validation failed for broken'],
    ['parameters that are not valid', ['hello', '--params', '{broken'], 'The parameters are not valid'],
    ['a run id that is none', ['hello', '--run-id', 'latest'], 'A run id is'],
    ['a DAG that is not there', ['nobody'], 'There is no DAG "nobody"'],
  ])('exits 1 for %s', async (_, args, text) => {
    const { code, stdout, stderr } = await dry(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(text);
  });
});
