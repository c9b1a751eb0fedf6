import { readFile, writeFile } from 'node:fs/promises';
import { useCommands } from './testing/use-commands';

const { home, run } = useCommands();

describe('weir profile', () => {
  it('keeps variables and secrets that a run is started with', async () => {
    await writeFile(home().file('dags', 'asks.yaml'), 'steps:\n  - run: echo "$HOST $TOKEN" > said\nworking_dir: .\n');
    await writeFile(home().file('token'), 'correct-horse\n');
    await run('profile', 'create', 'staging', '--description', 'before customers');
    await run('profile', 'set-var', 'staging', 'HOST', 'staging.example');
    await expect(
      run('profile', 'set-secret', 'staging', 'TOKEN', '--value-file', home().file('token')),
    ).resolves.toMatchObject({ exitCode: 0, errors: '', out: 'The secret TOKEN of the profile staging is set.' });

    await expect(run('start', 'asks', '-q', '--profile', 'staging')).resolves.toMatchObject({ exitCode: 0 });
    await expect(readFile(home().file('dags', 'said'), 'utf8')).resolves.toBe('staging.example correct-horse\n');
    expect((await run('profile', 'list')).out).toMatch(/staging +active +no +1 +1 +before customers/);
    const { out } = await run('profile', 'show', 'staging');
    expect(out).toMatch(/HOST +variable +staging\.example\nTOKEN +secret +\*{8}/);
    expect((await run('profile', 'show', 'staging', '--format', 'json')).out).not.toContain('correct-horse');
  });

  it('disables, enables and deletes a profile and its entries', async () => {
    await run('profile', 'create', 'staging');
    await run('profile', 'set-var', 'staging', 'HOST', 'x');
    await run('profile', 'disable', 'staging');
    await expect(run('start', 'hello', '--profile', 'staging')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('disabled') as string,
    });
    await run('profile', 'enable', 'staging');
    await expect(run('start', 'hello', '-q', '--profile', 'staging')).resolves.toMatchObject({ exitCode: 0 });

    await run('profile', 'delete-key', 'staging', 'HOST');
    expect((await run('profile', 'show', 'staging')).out).not.toContain('HOST');
    await run('profile', 'delete', 'staging');
    await expect(run('profile', 'show', 'staging')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('There is no profile') as string,
    });
  });

  it('asks for a secret only on a terminal', async () => {
    await run('profile', 'create', 'staging');

    await expect(run('profile', 'set-secret', 'staging', 'TOKEN')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('give --value-file') as string,
    });
  });
});
