import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { spawnProcess, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { program, startWeir } from '../support/weir-server';
import { runWeir } from '../support/weir-command';

describe('the command line', () => {
  let home: TemporaryFolder;

  beforeEach(() => {
    home = temporaryFolder();
  });

  afterEach(() => home.remove());

  const weir = (...args: string[]) => runWeir(args, { home });

  const dagFile = async (name: string, text: string): Promise<string> => {
    const file = home.file(name);
    await writeFile(file, text);
    return file;
  };

  describe('weir version', () => {
    it('prints the version', async () => {
      expect(await weir('version')).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
        stderr: '',
      });
    });
  });

  describe('the reader of a pipe that ends early', () => {
    const pipe = async (command: string) => {
      const shell = await spawnProcess({
        command: 'bash',
        args: ['-c', `weir() { '${process.execPath}' '${program}' "$@"; }; ${command}; echo "\${PIPESTATUS[0]}"`],
        cwd: home.path,
        env: { HOME: home.path, PATH: process.env.PATH ?? '' },
      });
      await shell.exited;
      return { stdout: shell.stdout(), stderr: shell.stderr() };
    };

    it('ends a command that prints, without a stack trace', async () => {
      expect(await pipe('weir schema | head -c 1')).toEqual({ stdout: '{141\n', stderr: '' });
    });

    it('does not end a run', async () => {
      const file = await dagFile('go-on.yaml', `steps:\n  - run: touch '${home.file('done')}'\n`);
      expect(await pipe(`weir start '${file}' | true`)).toEqual({ stdout: '0\n', stderr: '' });
      expect(existsSync(home.file('done'))).toBe(true);
    });
  });

  describe('weir validate', () => {
    it('prints nothing for a valid file', async () => {
      const file = await dagFile('good.yaml', 'steps:\n  - run: echo\n');
      expect(await weir('validate', file)).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^ok: /) as string,
        stderr: '',
      });
    });

    it('reports every error of an invalid file with its location', async () => {
      const file = await dagFile('bad.yaml', 'colour: red\nsteps:\n  - run: echo\n    depends: nobody\n');
      const { code, stdout, stderr } = await weir('validate', file);

      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toContain(`Validation failed for ${file}`);
      expect(stderr).toMatch(/- \[1:1\] /);
      expect(stderr).toMatch(/- \[4:\d+\] /);
      expect(stderr).not.toMatch(/usage/i);
    });

    it('fails for a missing file', async () => {
      const { code, stderr } = await weir('validate', home.file('none.yaml'));
      expect(code).toBe(1);
      expect(stderr).toContain('none.yaml');
    });
  });

  describe('weir start in several processes', () => {
    const begin = (env: Readonly<Record<string, string>>, ...args: string[]) =>
      spawnProcess({
        command: process.execPath,
        args: [program, ...args],
        env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env },
      });

    it('executes four runs at the same time', async () => {
      const file = await dagFile('short.yaml', 'steps:\n  - {name: one, run: echo}\n  - {name: two, run: echo}\n');
      const commands = await Promise.all([1, 2, 3, 4].map((id) => begin({}, 'start', file, '--run-id', `run-${id}`)));
      const ends = commands.map(async ({ exited, stderr }) => ({ code: (await exited).code, stderr: stderr() }));

      expect(await Promise.all(ends)).toEqual(commands.map(() => ({ code: 0, stderr: '' })));
      expect((await weir('history', 'short')).stdout.match(/succeeded/g)).toHaveLength(4);
    });

    it('executes a run that a step starts', async () => {
      await dagFile('inner.yaml', 'steps:\n  - {name: said, run: echo from the inner run}\n');
      const command = `${process.execPath} ${program} start ${home.file('inner.yaml')}`;
      const outer = await dagFile('outer.yaml', `steps:\n  - {name: start it, run: "${command}"}\n`);

      const { exited } = await begin({ WEIR_STEP_ISOLATION: 'off' }, 'start', outer);
      await expect(exited).resolves.toMatchObject({ code: 0 });
      expect((await weir('history', 'inner')).stdout).toContain('succeeded');
    });
  });

  describe('weir start', () => {
    it('executes a file to its end and exits 0', async () => {
      const file = await dagFile('good.yaml', 'steps:\n  - name: hello\n    run: echo hello\n');
      const { code, stdout } = await weir('start', file);

      expect(code).toBe(0);
      expect(stdout).toMatch(/hello/);
      expect(stdout).toMatch(/succeeded/);
    });

    it('passes parameters on', async () => {
      const file = await dagFile(
        'params.yaml',
        'params: WHO=world\nsteps:\n  - name: check\n    run: test "$WHO" = "dear reader"\n',
      );

      expect((await weir('start', file)).code).toBe(1);
      expect((await weir('start', file, '--params', 'WHO="dear reader"')).code).toBe(0);
    });

    it('hands the run to the server that has the database open', async () => {
      const server = await startWeir({ home });
      const token = await setUpAdmin(server);
      const { code, stdout } = await weir('start', 'merge-sources', '--run-id', 'by-hand');

      expect(code).toBe(0);
      expect(stdout).toMatch(/report: succeeded/);
      const { dagRunDetails } = await server
        .createClient(token)
        .getDagRunDetails({ params: { name: 'merge-sources', dagRunId: 'by-hand' } });
      expect(dagRunDetails.statusLabel).toBe('succeeded');
      await server.process.stop();
    }, 60_000);

    it('exits 1 when a step fails', async () => {
      const file = await dagFile('bad.yaml', 'steps:\n  - name: broken\n    run: exit 7\n');
      const { code, stdout } = await weir('start', file);

      expect(code).toBe(1);
      expect(stdout).toMatch(/failed/);
    });

    it('exits 1 with the errors of a file that cannot run', async () => {
      const file = await dagFile('bad.yaml', 'steps: 5\n');
      const { code, stderr } = await weir('start', file);

      expect(code).toBe(1);
      expect(stderr).toMatch(/\[1:\d+\]/);
    });
  });

  describe('weir schema', () => {
    it('prints the schema of DAG files, and a part of it by a dotted path', async () => {
      const whole = await weir('schema', 'dag');
      const part = await weir('schema', 'dag', 'steps.retry_policy');

      expect({ code: whole.code, stderr: whole.stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(whole.stdout)).toMatchObject({ required: ['steps'] });
      expect(part.code).toBe(0);
      expect(part.stdout).toContain('"interval_sec"');
      expect(part.stdout.length).toBeLessThan(whole.stdout.length / 10);
    });

    it('suggests the nearest key for an unknown one', async () => {
      await expect(weir('schema', 'dag', 'steps.retri_policy')).resolves.toEqual({
        code: 1,
        stdout: '',
        stderr: 'weir: There is no key "retri_policy" in "steps" (did you mean "retry_policy"?).\n',
      });
    });
  });

  describe('weir example', () => {
    it('lists examples, each of which is a valid file', async () => {
      const { stdout } = await weir('example');
      const names = [...stdout.matchAll(/^ {2}(\S+) {2}/gm)].map(([, name = '']) => name);

      expect(names.length).toBeGreaterThan(2);
      for (const name of names) {
        const file = await dagFile(`${name}.yaml`, (await weir('example', name)).stdout);
        expect(await weir('validate', file)).toEqual({
          code: 0,
          stdout: expect.stringMatching(/^ok: /) as string,
          stderr: '',
        });
      }
    });
  });

  describe('the base configuration', () => {
    const steps = 'steps:\n  - run: test "$SHARED" = "from the base"\n';

    it('applies to start, also if the server that has the database open executes the run', async () => {
      await mkdir(home.file('weir'));
      await writeFile(home.file('weir', 'base.yaml'), 'env:\n  SHARED: from the base\n');
      const file = await dagFile('inheriting.yaml', steps);

      expect((await weir('start', file)).code).toBe(0);
      const server = await startWeir({ home });
      expect((await weir('start', file)).code).toBe(0);
      await server.process.stop();
    }, 60_000);

    it('makes validate and start fail with its name when it has an error', async () => {
      await mkdir(home.file('weir'));
      await writeFile(home.file('weir', 'base.yaml'), 'groop: everything\n');
      const file = await dagFile('inheriting.yaml', steps);

      for (const command of ['validate', 'start']) {
        const { code, stdout, stderr } = await weir(command, file);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain(`${home.file('weir', 'base.yaml')} cannot be used: [1:1] `);
      }
    });
  });

  it('fails with one line for an unknown command', async () => {
    const { code, stderr } = await weir('dance');
    expect(code).toBe(1);
    expect(stderr).toMatch(/dance/);
  });

  it('fails with the names of all invalid variables and none of their values', async () => {
    const child = await spawnProcess({
      command: process.execPath,
      args: [program, 'start-all'],
      env: { HOME: home.path, WEIR_PORT: 'eighty', WEIR_AUTH_MODE: 'open', WEIR_JWT_SECRET: 'too-short-secret' },
    });
    const { code } = await child.exited;

    expect(code).toBe(1);
    for (const name of ['WEIR_PORT', 'WEIR_AUTH_MODE', 'WEIR_JWT_SECRET']) expect(child.stderr()).toContain(name);
    expect(child.stderr()).not.toContain('too-short-secret');
  });
});
