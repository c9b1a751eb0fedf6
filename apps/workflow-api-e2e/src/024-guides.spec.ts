import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endProcessesOf, spawnProcess, temporaryFolder } from '@weir/test-kit';
import { program } from './support/weir-server';

const docs = path.resolve(__dirname, '../../../docs');
const deadlineMs = 240_000;

/** The shell blocks of a page, one after the other. */
function readCommands(page: string): string {
  const blocks = [...readFileSync(path.join(docs, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)];
  return blocks.map(([, text]) => text).join('');
}

describe('the commands of a page do what it says', () => {
  it.each([
    ['guide/scheduled-report.md', ['ok: 1 file', 'report tonight: waiting', 'publish: succeeded', 'the report is out']],
    ['how-to/back-up-and-restore.md', ['weir-backup.tar.gz', 'restored from', 'hello']],
    ['how-to/move-from-cron.md', ['ok: 2 files', 'date', 'echo']],
  ])('%s', async (page, printed) => {
    const home = temporaryFolder();
    mkdirSync(home.file('bin'));
    writeFileSync(home.file('bin', 'weir'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(home.file('bin', 'weir'), 0o755);
    const commands = readCommands(page);
    const shell = await spawnProcess({
      command: '/bin/bash',
      args: ['-euo', 'pipefail', '-c', commands],
      cwd: home.path,
      env: { HOME: home.path, WEIR_PORT: '0', PATH: `${home.file('bin')}:${process.env.PATH ?? ''}` },
      deadlineMs,
    });
    const { code } = await shell.exited;
    await endProcessesOf(home.path);
    await home.remove();

    expect(commands).toContain('weir ');
    expect({ code, stderr: code === 0 ? '' : shell.stderr() }).toEqual({ code: 0, stderr: '' });
    expect(printed.filter((text) => !shell.stdout().includes(text))).toEqual([]);
  });
});
