import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

describe('a Node that is too old', () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(folder.file('older.cjs'), "Object.defineProperty(process.versions, 'node', { value: '20.11.0' });");
  });

  afterEach(() => folder.remove());

  async function launch(launcher: string): Promise<string> {
    const program = await spawnProcess({
      command: process.execPath,
      args: ['--import', 'tsx', '--require', folder.file('older.cjs'), launcher],
      cwd: __dirname,
      deadlineMs: 60_000,
    });
    expect(await program.exited).toMatchObject({ code: 1 });
    return program.stderr();
  }

  it('of an installed package is told to install a newer one, not to set up a repository', async () => {
    mkdirSync(folder.file('package/dist'), { recursive: true });
    copyFileSync(path.join(__dirname, '../package.json'), folder.file('package/package.json'));
    copyFileSync(path.join(__dirname, 'launcher.ts'), folder.file('package/dist/main.ts'));

    const text = await launch(folder.file('package/dist/main.ts'));
    expect(text).toContain('Node 20.11.0 is too old: 22.16 or newer is needed. Install a newer one');
    expect(text).not.toContain('npm');
  });
});
