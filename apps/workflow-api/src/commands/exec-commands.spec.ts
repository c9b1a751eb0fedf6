import { mkdir, readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { useCommands } from './testing/use-commands';

const { home, begin, run } = useCommands();
const read = (name: string) => readFile(home().file(name), 'utf8');
const node = process.execPath;
const writeArguments = 'require("fs").writeFileSync("said", JSON.stringify(process.argv.slice(1)))';

describe('weir exec', () => {
  it('executes a command as a run of the current folder, which history shows', async () => {
    const { exitCode, out } = await run('exec', '-r', 'mine', '--', node, '-e', writeArguments, 'two words', '-q');

    expect({ exitCode, said: await read('said') }).toEqual({ exitCode: 0, said: '["two words","-q"]' });
    expect(out).toMatch(/^node mine: started\n {2}command: succeeded .*\nnode mine: succeeded/);
    expect((await run('history', 'node')).out).toContain('mine');
    expect((await run('status', '-r', 'mine', 'node')).exitCode).toBe(0);
  });

  it('passes any argument and variable unchanged', async () => {
    const text = fc.stringMatching(/^[ -~\n\t]{0,20}$/);
    const reference = fc.constantFrom(
      '${HOME}',
      '$HOME',
      '${params}',
      '${steps.a.outputs.b}',
      "it's ${X}",
      '\\${Y}',
      '`id`',
      'a.yaml',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(text, reference), { maxLength: 4 }), async (words) => {
        const { exitCode } = await run('exec', '--', node, '-e', writeArguments, '--', ...words);
        expect(exitCode).toBe(0);
        expect(JSON.parse(await read('said'))).toEqual(words);
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('accepts a name, a folder, variables and quiet', async () => {
    await mkdir(home().file('there'));
    const words = ['exec', '-N', 'nightly', '-w', 'there', '-E', 'A=$HOME ${B}', '-E', 'C=2', '-q', '--'];
    const script = 'require("fs").writeFileSync("said", process.env.A + process.env.C)';

    await expect(run(...words, node, '-e', script)).resolves.toEqual({ exitCode: 0, out: '', errors: '' });
    await expect(read('there/said')).resolves.toBe('$HOME ${B}2');
    expect((await run('history', 'nightly')).out).toContain('succeeded');
  });

  it('fails with the exit code of the command', async () => {
    const { exitCode, out } = await run('exec', '--', 'sh', '-c', 'echo no >&2; exit 3');
    expect(exitCode).toBe(1);
    expect(out).toContain('exit status 3: no');
  });

  it.each([
    ['no command', ['exec'], 'missing required argument'],
    ['a name that cannot be one', ['exec', '-N', 'a b', '--', 'true'], 'The name of a DAG has'],
    ['a variable without a value', ['exec', '-E', 'A', '--', 'true'], 'Use NAME=value'],
    ['a folder whose name would be changed', ['exec', '-w', '/tmp/$HOME', '--', 'true'], 'would replace the "$"'],
  ])('refuses %s', async (_, words, message) => {
    const { exitCode, errors } = await run(...words);
    expect(exitCode).toBe(1);
    expect(errors).toContain(message);
  });
});

describe('weir start --from-run-id', () => {
  beforeEach(async () => {
    await run('start', 'hello', '-r', 'first', '-p', 'who=before');
    await writeFile(home().file('dags', 'hello.yaml'), 'steps:\n  - run: exit 1\n');
  });

  it('starts with the spec and the parameters of an earlier run, even if the file has changed', async () => {
    await writeFile(home().file('dags', 'said'), '');
    const { exitCode, out } = await run('start', '--from-run-id', 'first', '-r', 'second', 'hello');

    expect(exitCode).toBe(0);
    expect(out).toContain('hello second: succeeded');
    await expect(read('dags/said')).resolves.toBe('hello before\n');
  });

  it('accepts other parameters', async () => {
    await expect(run('start', '--from-run-id', 'first', 'hello', '--', 'who=after')).resolves.toMatchObject({
      exitCode: 0,
    });
    await expect(read('dags/said')).resolves.toBe('hello after\n');
  });

  it('refuses a run that does not exist', async () => {
    await expect(run('start', '--from-run-id', 'none', 'hello')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('none') as string,
    });
  });
});

describe('weir config', () => {
  it('prints each setting with its source, the folders, and no secret', async () => {
    const secret = 'a'.repeat(40);
    const command = begin(['config', '--format', 'json'], { WEIR_JWT_SECRET: secret, WEIR_PORT: '9000' });

    await expect(command.exitCode).resolves.toBe(0);
    expect(command.out()).not.toContain(secret);
    expect(JSON.parse(command.out())).toMatchObject({
      settings: expect.arrayContaining([
        { name: 'WEIR_PORT', value: '9000', source: 'environment' },
        { name: 'WEIR_HOST', value: '127.0.0.1', source: 'default' },
        { name: 'WEIR_JWT_SECRET', value: '*****', source: 'environment' },
      ]) as unknown,
      folders: { home: home().path, dags: home().file('dags') },
    });
    expect((await run('config')).out).toMatch(/^SETTING +VALUE +FROM\n/);
  });

  it('names wrong settings', async () => {
    const command = begin(['config'], { WEIR_PORT: 'x' });
    await expect(command.exitCode).resolves.toBe(1);
    expect(command.errors()).toContain('WEIR_PORT');
  });
});
