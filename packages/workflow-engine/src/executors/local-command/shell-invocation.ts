import type { StepShell } from '../../step-shell';

/** A program with its arguments, started without any shell in between. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
}

const unixShells = new Set(['sh', 'ash', 'bash', 'dash', 'ksh', 'ksh93', 'mksh', 'zsh']);
// `-c` or a bundle that ends in it, like `-lc`.
const commandFlag = /^-([A-Za-z]*)c$/;
// One argument may be 128 KiB on Linux; longer texts go through a file.
const maxArgumentBytes = 96 * 1024;

/** Whether a text must be run as a script file: it has several lines, or is too long for an argument. */
export function needsScriptFile(text: string): boolean {
  return text.trimEnd().includes('\n') || text.startsWith('#!') || Buffer.byteLength(text) > maxArgumentBytes;
}

/** How the shell is started for a one-line command. */
export function commandInvocation(text: string, shell: StepShell): Invocation {
  const { program, args } = shellInvocation(shell);
  const takesCommand = commandFlag.test(args.at(-1) ?? '');
  return { program, args: takesCommand ? [...args, text] : [...args, '-c', text] };
}

/** How a script file is started: by its `#!` line where that counts, else by the shell. */
export function scriptInvocation(script: string, file: string, shell: StepShell): Invocation {
  const interpreter = shell.isStepShell ? undefined : interpreterOf(script);
  if (interpreter !== undefined) return { program: interpreter.program, args: [...interpreter.args, file] };
  const { program, args } = shellInvocation(shell);
  const last = args.at(-1) ?? '';
  const bundled = commandFlag.exec(last)?.[1];
  if (bundled === undefined) return { program, args: [...args, file] };
  // The file is not a command text, so the shell must not be told that one follows.
  return { program, args: [...args.slice(0, -1), ...(bundled === '' ? [] : [`-${bundled}`]), file] };
}

function shellInvocation({ shell, isStepShell }: StepShell): Invocation {
  const [program = 'sh', ...args] = shell;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (isStepShell || !unixShells.has(name)) return { program, args };
  return { program, args: ['-e', ...args] };
}

/**
 * Reads the `#!` line as Linux does: a program and at most one argument. Done here, and not by executing the file,
 * because a temporary folder may forbid execution and a file just written may still be held open by another child.
 */
function interpreterOf(script: string): Invocation | undefined {
  const line = /^#![ \t]*([^\n]*)/.exec(script)?.[1]?.trim() ?? '';
  const [, program, argument] = /^(\S+)(?:[ \t]+(.*))?$/.exec(line) ?? [];
  if (program === undefined) return undefined;
  return { program, args: argument === undefined ? [] : [argument] };
}
