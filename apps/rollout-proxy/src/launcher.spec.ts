import path from 'node:path';
import { spawnProcess, temporaryFolder } from '@weir/test-kit';
import { writeFileSync } from 'node:fs';

it('reports the required version of Node before it loads the program', async () => {
  const folder = temporaryFolder();
  const older = folder.file('older.cjs');
  writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.11.0' });");
  const program = await spawnProcess({
    command: process.execPath,
    args: ['--import', 'tsx', '--require', older, path.join(__dirname, 'launcher.ts')],
    cwd: __dirname,
    deadlineMs: 60_000,
  });
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(program.stderr()).toContain('Node 20.11.0 is too old: 22.16 or newer is required');
  await folder.remove();
});
