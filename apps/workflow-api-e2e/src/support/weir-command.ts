import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';
import { compiledCode, type TemporaryFolder } from '@weir/test-kit';
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

interface CommandHost {
  readonly child: ChildProcess;
  readonly stderr: () => string;
}

let shared: CommandHost | undefined;
let lastId = 0;

/**
 * Runs one command of the built program to its end, in the one process that all commands of a Jest worker share:
 * starting the program costs six times what most commands do. The command's own home is a folder below `home`.
 */
export async function runWeir(
  words: readonly string[],
  { home, folder, env, deadlineMs = 60_000 }: CommandOptions,
): Promise<CommandResult> {
  // Node reads this variable only when a process starts.
  const own = env?.NODE_EXTRA_CA_CERTS === undefined ? undefined : startHost(env);
  const { child, stderr } = own ?? (shared ??= startHost());
  const id = (lastId += 1);
  return new Promise((resolve, reject) => {
    const onMessage = ({ id: answeredId, ...result }: CommandResult & { readonly id: number }): void => {
      if (answeredId !== id) return;
      settle();
      resolve(result);
    };
    const fail = (reason: string): void => {
      settle();
      reject(new Error(`"weir ${words.join(' ')}" ${reason}. The process wrote:\n${stderr()}`));
    };
    const onExit = (code: number | null, signal: string | null): void =>
      fail(`ended its process with ${String(code ?? signal)}`);
    const deadline = setTimeout(() => fail(`took longer than ${deadlineMs} ms`), deadlineMs);
    const settle = (): void => {
      clearTimeout(deadline);
      child.off('message', onMessage).off('exit', onExit);
      if (own !== undefined && child.connected) child.disconnect();
    };
    child.on('message', onMessage).once('exit', onExit);
    const environment = { PATH: process.env.PATH, HOME: home.path, WEIR_HOME: home.file('weir'), ...env };
    child.send({ id, words, env: environment, userHome: home.path, workingDirectory: folder ?? home.path });
  });
}

function startHost(env: CommandOptions['env'] = {}): CommandHost {
  const child = fork(path.join(__dirname, 'command-host.cjs'), [programModule], {
    env: { PATH: process.env.PATH, ...compiledCode, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let written = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
  });
  child.once('exit', () => {
    if (shared?.child === child) shared = undefined;
  });
  // It ends when this process closes its channel, and neither it nor its pipes keep this process alive.
  child.unref();
  child.channel?.unref();
  (child.stderr as Socket | null)?.unref();
  return { child, stderr: () => written };
}
