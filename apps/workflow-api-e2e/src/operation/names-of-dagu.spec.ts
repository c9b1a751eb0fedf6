import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../support/weir-command';
import { program } from '../support/weir-server';

describe('names of Dagu', () => {
  let home: TemporaryFolder;
  beforeEach(async () => {
    home = temporaryFolder();
    await mkdir(home.file('dags'));
    await writeFile(home.file('dags', 'said.yaml'), 'params: [who]\nsteps:\n  - run: echo "${params.who}"\n');
  });
  afterEach(() => home.remove());

  it('are accepted with the setting', async () => {
    const env = { WEIR_COMPAT: 'dagu', WEIR_HOME: '', DAGU_HOME: home.path };
    const started = await runWeir(['start', '-q', '--request-id=one', '-p=who=me', 'said'], { home, env });

    expect(started).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await runWeir(['status', '--req=one', 'said'], { home, env })).stdout).toContain('succeeded');
  });

  it('are accepted by a program of that name', async () => {
    await symlink(program, home.file('dagu'));
    const env = { PATH: process.env.PATH, HOME: home.path, DAGU_HOME: home.path };
    const words = [home.file('dagu'), 'start', '-p=who=me', 'said'];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env, timeout: 60_000 });

    expect(stdout).toMatch(/^said \w+: started\n/);
  });

  it('cause a warning without the setting, and the command does the same', async () => {
    const { code, stderr } = await runWeir(['version'], { home, env: { DAGU_PORT: '9000' } });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('DAGU_PORT is set and not read: set WEIR_PORT') as string,
    });
  });
});
