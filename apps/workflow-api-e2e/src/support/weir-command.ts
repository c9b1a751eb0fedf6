import { startHostedProgram, type TemporaryFolder } from '@weir/test-kit';
import { programModule } from './weir-server';

export interface CommandOptions {
  readonly home: TemporaryFolder;
  /** The home folder when left out. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one command of the built program to its end, in the process that all servers and commands of a Jest worker
 * share. The command's own home is a folder below `home`.
 */
export async function runWeir(
  words: readonly string[],
  { home, folder = home.path, env, deadlineMs = 60_000 }: CommandOptions,
): Promise<CommandResult> {
  const program = startHostedProgram({
    module: programModule,
    words,
    env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env },
    userHome: home.path,
    workingDirectory: folder,
    deadlineMs,
  });
  const { code, signal } = await program.exited;
  const [stdout, stderr] = [program.stdout(), program.stderr()];
  if (code === null)
    throw new Error(`"weir ${words.join(' ')}" ended its process with ${signal}. It wrote:\n${stderr}`);
  return { code, stdout, stderr };
}
