import type { StepShell } from '../../values/environment/step-shell';
import { isUnixShell, parseInterpreter } from '../../values/shell-text/interpreter';
import type { Invocation } from '../../model/ports/step-isolation';
import type { StepCommand } from './step-command';

// `-c` or a bundle that ends in it, like `-lc`.
const commandFlag = /^-([A-Za-z]*)c$/;
// One argument may be 128 KiB on Linux; longer scripts go through a file.
const maxArgumentBytes = 96 * 1024;

/**
 * Whether a command has to be executed as a script file, because it has several lines or is too long for an argument.
 */
export function needsScriptFile(text: string): boolean {
  return text.trimEnd().includes('\n') || text.startsWith('#!') || Buffer.byteLength(text) > maxArgumentBytes;
}

/** A shell and its positional parameters `$1`, `$2`, … */
export type ShellCall = StepShell & Pick<StepCommand, 'args'>;

/** Builds the call of the shell for a one-line command. */
export function commandInvocation(text: string, { args: positional = [], ...shell }: ShellCall): Invocation {
  const { program, args } = shellInvocation(shell);
  const takesCommand = commandFlag.test(args.at(-1) ?? '');
  // Unix shells read the words after the command as `$0`, `$1` and so on.
  const rest = positional.length > 0 && isUnixShell(program) ? [program, ...positional] : [];
  return { program, args: takesCommand ? [...args, text, ...rest] : [...args, '-c', text, ...rest] };
}

/** Builds the call of a script file: by its `#!` line unless the step names a shell, else by the shell. */
export function scriptInvocation(
  script: string,
  file: string,
  { args: positional = [], ...shell }: ShellCall,
): Invocation {
  const { program, args } = fileInvocation(script, file, shell);
  return { program, args: [...args, ...positional] };
}

function fileInvocation(script: string, file: string, shell: StepShell): Invocation {
  const interpreter = shell.isStepShell ? undefined : parseInterpreter(script);
  if (interpreter !== undefined) return { program: interpreter.program, args: [...interpreter.args, file] };
  const { program, args } = shellInvocation(shell);
  const last = args.at(-1) ?? '';
  const bundled = commandFlag.exec(last)?.[1];
  if (bundled === undefined) return { program, args: [...args, file] };
  // The file is not a command text, so `-c` must not precede it.
  return { program, args: [...args.slice(0, -1), ...(bundled === '' ? [] : [`-${bundled}`]), file] };
}

function shellInvocation({ shell, isStepShell }: StepShell): Invocation {
  const [program = 'sh', ...args] = shell;
  if (isStepShell || !isUnixShell(program)) return { program, args };
  return { program, args: ['-e', ...args] };
}
