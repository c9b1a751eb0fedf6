import { isUnixShell } from '../../local-command/shell-invocation';
import { actionFailed } from '../action-errors';

/** What is asked of the other host: one command line, and what it reads. */
export interface RemoteCall {
  readonly command: string;
  /** For standard input, which ends after it. */
  readonly input: string;
}

export interface RemoteText {
  readonly kind: 'command' | 'script';
  readonly text: string;
  /** With its arguments; the user's own on that host when there is none. */
  readonly shell: readonly string[];
  /** What the step gives itself. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * How a text is run by another host. A single command is asked for as it is, so that hosts which know only certain
 * commands work too. A script goes through standard input, where its length is not bounded and nobody sees it in the
 * list of processes; the same way go commands with an environment, because hosts refuse variables by default.
 */
export function remoteCall({ kind, text, shell, env }: RemoteText): RemoteCall {
  const hasEnv = Object.keys(env).length > 0;
  if (kind === 'command' && !hasEnv) return { command: plainCommand(text, shell), input: '' };
  const interpreter = kind === 'script' && shell.length === 0 ? parseInterpreter(text) : undefined;
  const [program, ...args] = interpreter ?? shell;
  if (program !== undefined && !isUnixShell(program)) {
    if (hasEnv) throw actionFailed('env cannot be handed to a remote shell that is none of Unix.');
    return { command: words([program, ...args]), input: text };
  }
  // `exec "$SHELL"` means the same to every login shell there is; without it, quotes inside of quotes would not.
  const command = program === undefined ? 'exec "$SHELL"' : words([program, ...args.filter((word) => word !== '-c')]);
  const isStrict = kind === 'script' && program === undefined;
  const head = [...(isStrict ? ['set -e'] : []), ...Object.entries(env).map(assignment)];
  // Read as a whole before it begins: nothing that it starts can read the rest of it.
  return { command, input: [...head, '{', text, '} </dev/null', ''].join('\n') };
}

/** Nothing of the text means anything to a shell of Unix. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_/.:=@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function plainCommand(text: string, shell: readonly string[]): string {
  if (shell.length === 0) return text;
  const takesCommand = /^-[A-Za-z]*c$/.test(shell.at(-1) ?? '');
  return words([...shell, ...(takesCommand ? [] : ['-c']), text]);
}

function words(list: readonly string[]): string {
  return list.map(shellQuote).join(' ');
}

function assignment([name, value]: readonly [string, string]): string {
  if (value.includes('\0')) throw actionFailed('env holds a NUL character.');
  return `export ${name}=${shellQuote(value)}`;
}

/** Of the `#!` line: a program and at most one argument, as Linux reads it. */
function parseInterpreter(script: string): readonly string[] | undefined {
  const line = /^#![ \t]*([^\n]*)/.exec(script)?.[1]?.trim() ?? '';
  const [, program, argument] = /^(\S+)(?:[ \t]+(.*))?$/.exec(line) ?? [];
  if (program === undefined) return undefined;
  const isEnv = program.endsWith('/env') && argument !== undefined && /^[^-\s=]+$/.test(argument);
  if (isEnv) return [argument];
  return argument === undefined ? [program] : [program, argument];
}
