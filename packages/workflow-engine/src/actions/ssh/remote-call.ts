import { finalProgram, isUnixShell, parseInterpreter } from '../../values/shell-text/interpreter';
import { shellQuote } from '../../values/shell-text/shell-quote';
import { actionFailed } from '../../model/steps/action-errors';

/** The remote host executes one command line with its standard input. */
export interface RemoteCall {
  readonly command: string;
  /** Standard input, closed afterwards. */
  readonly input: string;
}

export interface RemoteText {
  readonly kind: 'command' | 'script';
  readonly text: string;
  /** The shell with its arguments; empty for the login shell of the remote user. */
  readonly shell: readonly string[];
  /** Variables that the step sets itself. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Builds the command line that executes a command or script on a remote host. A single command is sent unchanged, for
 * hosts that accept certain commands only. A script is sent as standard input, which has no length limit and does not
 * show in the list of processes. So are commands with variables, because hosts refuse SSH environment requests by
 * default.
 */
export function remoteCall({ kind, text, shell, env }: RemoteText): RemoteCall {
  const hasEnv = Object.keys(env).length > 0;
  if (kind === 'command' && !hasEnv) return { command: plainCommand(text, shell), input: '' };
  const interpreter = kind === 'script' && shell.length === 0 ? parseInterpreter(text) : undefined;
  const [program, ...args] = interpreter === undefined ? shell : [interpreter.program, ...interpreter.args];
  if (program !== undefined && !isUnixShell(finalProgram({ program, args }))) {
    if (hasEnv) throw actionFailed('env needs a Unix shell on the remote host.');
    return { command: words([program, ...args]), input: text };
  }
  // `exec "$SHELL"` means the same in every login shell; nested quotes would not.
  const command = program === undefined ? 'exec "$SHELL"' : words([program, ...args.filter((word) => word !== '-c')]);
  const isStrict = kind === 'script' && program === undefined;
  const head = [...(isStrict ? ['set -e'] : []), ...Object.entries(env).map(assignment)];
  // The braces make the shell read all of it first, so that no child process can read the rest.
  return { command, input: [...head, '{', text, '} </dev/null', ''].join('\n') };
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
  if (value.includes('\0')) throw actionFailed('env contains a NUL character.');
  return `export ${name}=${shellQuote(value)}`;
}
