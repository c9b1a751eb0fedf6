import { writeFile } from 'node:fs/promises';
import { spawnProcess, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { program } from '../../support/weir-server';

const failing = `steps:
  - {name: load, run: 'seq 1 3; echo warned >&2'}
  - {name: save, run: 'seq 1 12; printf "no room" >&2; exit 4', depends: load}
  - {name: never, run: echo never, depends: save}
handler_on:
  failure: {run: echo sorry}
`;

let home: TemporaryFolder;
const weir = (...args: readonly string[]) => runWeir(args, { home });

beforeAll(async () => {
  home = temporaryFolder();
  await writeFile(home.file('orders.yaml'), failing);
  expect((await weir('start', 'orders.yaml', '--run-id', 'one')).code).toBe(1);
});
afterAll(() => home.remove());

const numbers = (first: number, last: number, prefix = ''): string =>
  Array.from({ length: last - first + 1 }, (_, index) => `${prefix}${first + index}\n`).join('');

describe('weir logs', () => {
  it('prints the last lines of failed steps, then every log with the names of the steps', async () => {
    const { code, stdout, stderr } = await weir('logs', 'orders.yaml');

    expect([code, stderr]).toEqual([0, '']);
    const [failures, all] = stdout.split('\n\n');
    expect(failures).toMatch(/^==> save: failed \(\d+\.\d\d s\) - .*\n/);
    expect(failures?.split('\n').slice(1)).toHaveLength(10);
    expect(failures).toContain('\nno room');
    expect(all?.split('\n').filter((line) => line.startsWith('load | '))).toEqual(
      expect.arrayContaining(['load | 1', 'load | 3', 'load | warned']),
    );
    expect(all).toContain(numbers(1, 12, 'save | '));
    expect(all).toContain('on failure | sorry');
    expect(stdout).not.toContain('never');
  });

  it('prints the last lines of the step of a child run that failed, in place of the step that called it', async () => {
    const child = "name: inner\nsteps:\n  - {name: breaks, run: 'echo no table; exit 3'}\n";
    const between = 'name: between\nsteps:\n  - {name: deeper, action: dag.run, with: {dag: inner}}\n';
    const steps = 'steps:\n  - {name: call, action: dag.run, with: {dag: between}}\n';
    await writeFile(home.file('calls.yaml'), [steps, between, child].join('---\n'));
    expect((await weir('start', 'calls.yaml')).code).toBe(1);
    const { stdout } = await weir('logs', 'calls.yaml');

    expect(stdout).toMatch(/^==> call > deeper > breaks: failed \(.*\) - exit status 3.*\nno table\n\n/);
  });

  it('prints the log of one step as it is', async () => {
    const { code, stdout } = await weir('logs', 'orders', 'latest', 'save');

    expect([code, stdout.replace(/^no room\n/m, '')]).toEqual([0, numbers(1, 12)]);
  });

  it('prints where each attempt of a step begins, and one attempt alone', async () => {
    const step = `{id: flaky, run: 'printf "from here"; test -e done || { touch done; exit 3; }', retry_policy: {limit: 1, interval_sec: 0}}`;
    await writeFile(home.file('retries.yaml'), `steps: [${step}]\n`);
    expect((await weir('start', 'retries.yaml')).code).toBe(0);
    const print = async (...flags: readonly string[]) =>
      (await weir('logs', 'retries.yaml', 'latest', 'flaky', ...flags)).stdout;

    expect(await print()).toBe('==> attempt 1\nfrom here\n==> attempt 2\nfrom here\n');
    expect(await print('--attempt', '2')).toBe('==> attempt 2\nfrom here\n');
  });

  it('prints the log of a step in a loop, also in a loop in a loop, and names its address to who does not know it', async () => {
    const spec = `steps:
  - id: each
    foreach:
      items: [eu, us]
      steps:
        - {id: load, run: 'echo load \${foreach.item}'}
        - {name: again, foreach: {items: [1, 2], as: part, steps: [{id: deep, run: 'echo \${foreach.item} \${foreach.part}'}]}}
`;
    await writeFile(home.file('loops.yaml'), spec);
    expect((await weir('start', 'loops.yaml')).code).toBe(0);
    const logs = (step: string, ...flags: readonly string[]) => weir('logs', ...flags, 'loops', 'latest', step);

    await expect(logs('each/1/load')).resolves.toMatchObject({ code: 0, stdout: 'load us\n' });
    await expect(logs('each/0/again/1/deep', '-f')).resolves.toMatchObject({ code: 0, stdout: 'eu 2\n' });
    const { code, stderr } = await logs('load');
    expect([code, stderr.trim()]).toEqual([
      1,
      'weir: The run has no step "load"; its steps are each. A step in a loop is LOOP/INDEX/STEP, such as each/0/load.',
    ]);
    await expect(logs('each/2/load', '-f')).resolves.toMatchObject({ code: 1 });
  });

  it('prints when each line was written', async () => {
    const { stdout } = await weir('logs', '--times', 'orders', 'one', 'load');

    expect(stdout).toMatch(/^(?:\d{4}-\d\d-\d\dT\S+Z|-) 1\n/m);
  });

  it.each([
    ['a DAG without runs', ['none'], 'There is no run of the DAG "none".'],
    ['another run', ['orders', 'two'], 'two'],
    ['another step', ['orders', 'one', 'lod'], 'The run has no step "lod"; its steps are load, save, never, '],
  ])('refuses %s', async (_, words, message) => {
    const { code, stdout, stderr } = await weir('logs', ...words);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  it('follows a run that another process executes, line by line, until it has ended', async () => {
    const go = home.file('go');
    await writeFile(
      home.file('slow.yaml'),
      `steps:
  - name: wait
    run: 'echo begun; printf half; until [ -e ${go} ]; do sleep 0.05; done; echo " a line"; echo done'
`,
    );
    const start = (...args: readonly string[]) =>
      spawnProcess({
        command: process.execPath,
        args: [program, ...args],
        env: { HOME: home.path, WEIR_HOME: home.file('weir') },
        cwd: home.path,
      });
    const run = await start('start', 'slow.yaml', '--run-id', 'now');
    await run.waitForOutput('started');
    const logs = await start('logs', '-f', 'slow', 'now');
    await logs.waitForOutput('wait | begun\n');
    await writeFile(go, '');

    await expect(logs.exited).resolves.toMatchObject({ code: 0 });
    expect(logs.stdout()).toBe('wait | begun\nwait | half a line\nwait | done\n');
    await expect(run.exited).resolves.toMatchObject({ code: 0 });
  }, 120_000);
});
