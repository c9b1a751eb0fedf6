import { glob, readFile, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { dagsIn } from './dags';

jest.setTimeout(60_000);

let marks: ReturnType<typeof temporaryFolder>;

const wrote = async (name: string): Promise<readonly string[]> =>
  (await readFile(marks.file(name), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);

describe('weir retry and weir restart without a server', () => {
  let home: ReturnType<typeof temporaryFolder>;

  beforeAll(async () => {
    marks = temporaryFolder();
    home = temporaryFolder();
    for (const [name, text] of Object.entries(dagsIn(marks.path))) await writeFile(home.file(`${name}.yaml`), text);
  });

  afterAll(async () => {
    await home.remove();
    await marks.remove();
  });

  const command = (...args: readonly string[]) => runWeir(args, { home });

  it('weir retry executes the run in its own process, with its child runs', async () => {
    const first = await command('start', 'parent.yaml', '--run-id', 'one');
    expect([first.code, first.stdout.split('\n').at(-2)]).toEqual([
      1,
      expect.stringContaining('parent one: failed') as string,
    ]);
    expect((await command('retry', 'parent.yaml', '--run-id', 'one')).code).toBe(1);
    await writeFile(marks.file('child-go'), '');
    const again = await command('retry', 'parent.yaml', '--run-id', 'one');
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(again.stdout).toMatch(/parent one: succeeded/);
    expect(await wrote('child')).toEqual(['once']);
  });

  it('weir retry shows the handlers, and accepts --step with --downstream', async () => {
    const first = await command('start', 'chain.yaml', '--run-id', 'two');
    expect(first.stdout).toMatch(/ {2}on failure: succeeded/);
    await writeFile(marks.file('go'), '');
    expect((await command('retry', 'chain.yaml', '--run-id', 'two')).code).toBe(0);
    const flags = ['--step', 'first', '--downstream'];
    expect((await command('retry', 'chain.yaml', '--run-id', 'two', ...flags)).code).toBe(0);
    expect(await wrote('done')).toEqual(['first', 'second', 'failure', 'second', 'third', 'first', 'second', 'third']);
  });

  it('weir retry refuses impossible retries', async () => {
    for (const [flags, text] of [
      [['--run-id', 'none'], 'There is no run "none" of the DAG "chain".'],
      [['--run-id', 'two'], 'passed'],
      [['--run-id', 'two', '--downstream'], '--downstream needs --step'],
      [[], "required option '-r, --run-id <id>'"],
    ] as const) {
      const { code, stderr } = await command('retry', 'chain.yaml', ...flags);
      expect(code).toBe(1);
      expect(stderr).toContain(text);
    }
  });

  it('weir restart starts another run with the parameters of the newest one', async () => {
    await command('start', 'service.yaml', '--run-id', 'old', '--', 'WHO=dear reader');
    const { code, stdout } = await command('restart', 'service.yaml');
    expect([code, stdout.split('\n').length]).toEqual([0, 4]);
    const { runs } = JSON.parse((await command('history', 'service', '--format', 'json')).stdout) as {
      runs: readonly { dagRunId: string; status: string }[];
    };
    expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    const log = await readFile(await readStdout(runs[0]?.dagRunId ?? ''), 'utf8');
    expect(log.trim()).toBe('dear reader');
  });

  /** The step has the only output file of the run. */
  async function readStdout(dagRunId: string): Promise<string> {
    for await (const file of glob(home.file('weir', 'logs', 'service', `*${dagRunId}`, '**', '*.out'))) return file;
    throw new Error(`The run ${dagRunId} has no output.`);
  }
});
