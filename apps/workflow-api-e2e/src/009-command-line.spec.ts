import { writeFile } from 'node:fs/promises';
import { spawnProcess, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { setUpAdmin } from './support/people';
import { program, startWeir } from './support/weir-server';

describe('the command line', () => {
  let home: TemporaryFolder;

  beforeEach(() => {
    home = temporaryFolder();
  });

  afterEach(() => home.remove());

  const weir = async (...args: string[]) => {
    const child = await spawnProcess({
      command: process.execPath,
      args: [program, ...args],
      env: { HOME: home.path, WEIR_HOME: home.file('weir') },
      cwd: home.path,
    });
    const { code } = await child.exited;
    return { code, stdout: child.stdout(), stderr: child.stderr() };
  };

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

  describe('weir validate', () => {
    it('says nothing of a good file', async () => {
      const file = await dagFile('good.yaml', 'steps:\n  - run: echo\n');
      expect(await weir('validate', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    });

    it('names every error of a bad file with its place', async () => {
      const file = await dagFile('bad.yaml', 'colour: red\nsteps:\n  - run: echo\n    depends: nobody\n');
      const { code, stdout, stderr } = await weir('validate', file);

      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toContain(`Validation failed for ${file}`);
      expect(stderr).toMatch(/- \[1:1\] /);
      expect(stderr).toMatch(/- \[4:\d+\] /);
      expect(stderr).not.toMatch(/usage/i);
    });

    it('fails for a file that is not there', async () => {
      const { code, stderr } = await weir('validate', home.file('none.yaml'));
      expect(code).toBe(1);
      expect(stderr).toContain('none.yaml');
    });
  });

  describe('weir start', () => {
    it('runs a file to its end and exits 0', async () => {
      const file = await dagFile('good.yaml', 'steps:\n  - name: hello\n    run: echo hello\n');
      const { code, stdout } = await weir('start', file);

      expect(code).toBe(0);
      expect(stdout).toMatch(/hello/);
      expect(stdout).toMatch(/succeeded/);
    });

    it('hands parameters over', async () => {
      const file = await dagFile(
        'params.yaml',
        'params: WHO=world\nsteps:\n  - name: check\n    run: test "$WHO" = "dear reader"\n',
      );

      expect((await weir('start', file)).code).toBe(1);
      expect((await weir('start', file, '--params', 'WHO="dear reader"')).code).toBe(0);
    });

    it('hands the run to the server that has the database', async () => {
      const server = await startWeir({ home });
      const token = await setUpAdmin(server);
      const { code, stdout } = await weir('start', 'hello-params', '--run-id', 'by-hand');

      expect(code).toBe(0);
      expect(stdout).toMatch(/greet: succeeded/);
      const { dagRunDetails } = await server
        .clientOf(token)
        .getDagRunDetails({ params: { name: 'hello-params', dagRunId: 'by-hand' } });
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

  it('fails with one line for an unknown command', async () => {
    const { code, stderr } = await weir('dance');
    expect(code).toBe(1);
    expect(stderr).toMatch(/dance/);
  });

  it('fails with every wrong variable by its name and none of their values', async () => {
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
