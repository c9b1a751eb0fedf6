import { spawnProcess, type TemporaryFolder } from '@weir/test-kit';
import { compiledCode, program } from './weir-server';

export interface CommandPlace {
  readonly home: TemporaryFolder;
  /** The home folder when left out. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
}

/** Runs one command of the built program to its end. Its own home is a folder below `home`. */
export async function runWeir(args: readonly string[], { home, folder, env, deadlineMs = 60_000 }: CommandPlace) {
  const child = await spawnProcess({
    command: process.execPath,
    args: [program, ...args],
    env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...compiledCode, ...env },
    cwd: folder ?? home.path,
    deadlineMs,
  });
  const { code } = await child.exited;
  return { code, stdout: child.stdout(), stderr: child.stderr() };
}
