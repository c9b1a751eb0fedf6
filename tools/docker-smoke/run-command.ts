import { spawn, type SpawnOptions } from 'node:child_process';

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Shows the output while it comes, for the steps that take minutes. */
  readonly isShown?: boolean;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. A command that does not exist ends with 127, one that takes too long with 124. */
export function runCommand(command: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { env, cwd, timeoutMs = 60_000, isShown = false } = options;
  const [file = '', ...args] = command;
  const spawnOptions: SpawnOptions = { env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] };
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, cwd === undefined ? spawnOptions : { ...spawnOptions, cwd });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        output[name] += chunk;
        if (isShown) process.stderr.write(chunk);
      });
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ENOENT') resolve({ code: 127, stdout: '', stderr: `${file} was not found` });
      else reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code: isLate ? 124 : (code ?? 1), ...output });
    });
  });
}

/** The output of a command that must succeed. */
export async function expectCommand(command: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, options);
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} … ended with ${code}: ${stderr || stdout}`);
  return stdout.trim();
}

/** Asks again until the answer is one, or fails with what it was waiting for. */
export async function eventually<Value>(
  what: string,
  limitMs: number,
  ask: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${limitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
