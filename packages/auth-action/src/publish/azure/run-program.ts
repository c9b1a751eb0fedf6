import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { ActionsRuntime } from '../../runner/actions-runtime';

/** A program, with arguments that come before all others. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export interface ProgramOptions {
  readonly env: ActionsRuntime['env'];
  /** Standard input, for what other users of the machine must not see in the list of processes. */
  readonly input?: string;
}

export interface ProgramResult {
  /** `undefined` if a signal or the time limit ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** The import of the modules of Azure PowerShell takes most of a minute on a slow machine. */
const timeoutMs = 180_000;
const maxOutputBytes = 8 * 1_048_576;

/** The first executable file of these names in the folders of `PATH`. */
export function findInPath(names: readonly string[], env: ActionsRuntime['env']): string | undefined {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Runs the program without a shell until it ends, for at most three minutes. Rejects if it cannot be started. */
export async function runProgram(
  { file, args: first }: Program,
  args: readonly string[],
  { env, input = '' }: ProgramOptions,
): Promise<ProgramResult> {
  const { spawn } = await import('node:child_process');
  // The programs are scripts that start others, so the whole group is ended with them.
  const hasGroups = process.platform !== 'win32';
  const child = spawn(file, [...first, ...args], { env: withoutSecrets(env), detached: hasGroups, windowsHide: true });
  const stop = (): void => endProgram(child, hasGroups);
  const timer = setTimeout(stop, timeoutMs);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      if (output[name].length > maxOutputBytes) stop();
    });
  }
  // A program that does not read its input is no failure by itself.
  child.stdin.on('error', () => undefined).end(input);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    return { ...output, exitCode: code ?? undefined };
  } finally {
    clearTimeout(timer);
  }
}

/** The inputs of the step, the state of post and the access to OIDC tokens are not for other programs. */
function withoutSecrets(env: ActionsRuntime['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:INPUT|STATE|ACTIONS)_/i.test(name)));
}

function endProgram(child: ChildProcess, hasGroups: boolean): void {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

/** The end of what the program said, without the secrets. */
export function describeResult({ exitCode, stderr }: ProgramResult, secrets: readonly string[]): string {
  const said = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), stderr)
    .trim()
    .slice(-1000);
  const how =
    exitCode === undefined ? 'was ended, because it took or printed too much' : `failed (exit code ${exitCode})`;
  return said === '' ? how : `${how}: ${said}`;
}
