import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { endProcessesOf } from './end-processes-of';
import { spawnProcess } from './spawn-process';
import { temporaryFolder } from './temporary-folder';

const pageDeadlineMs = 240_000;

export interface RunPageOptions {
  /** The Markdown file. */
  readonly page: string;
  /** Built programs of Node by the name that the page calls them. */
  readonly programs: Readonly<Record<string, string>>;
  /** The Node binary that executes them. Default: that of this process. */
  readonly node?: string;
  /** Besides HOME, an empty folder, and PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Texts of the page that the reader replaces, such as an address, with the values of the test. */
  readonly replace?: Readonly<Record<string, string>>;
}

export interface PageResult {
  /** The exit code of the shell; null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The shell blocks (`sh`) of a page, one after the other. */
export function readShellBlocks(page: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms);
  return [...blocks].map(([, text]) => text).join('');
}

/**
 * Executes the shell blocks of a page in order, in one shell that ends at the first failure, and ends every process that
 * they have left.
 */
export async function runPage(options: RunPageOptions): Promise<PageResult> {
  const { page, programs, node = process.execPath, env = {}, replace = {} } = options;
  const home = temporaryFolder();
  mkdirSync(home.file('bin'));
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(home.file('bin', name), `#!/bin/sh\nexec '${node}' '${program}' "$@"\n`);
    chmodSync(home.file('bin', name), 0o755);
  }
  const commands = Object.entries(replace).reduce(
    (text, [written, real]) => text.replaceAll(written, real),
    readShellBlocks(page),
  );
  const shell = await spawnProcess({
    command: '/bin/bash',
    args: ['-euo', 'pipefail', '-c', commands],
    cwd: home.path,
    env: { HOME: home.path, ...env, PATH: `${home.file('bin')}:${process.env.PATH ?? ''}` },
    deadlineMs: pageDeadlineMs,
  });
  const { code } = await shell.exited;
  await endProcessesOf(home.path);
  await home.remove();
  return { code, stdout: shell.stdout(), stderr: shell.stderr() };
}
