import type { StepShell } from '../environment/step-shell';
import { finalProgram, isUnixShell, parseInterpreter } from './interpreter';

export interface ShellDialect {
  /** A variable outside quotes, split at white space as all Unix shells do. */
  readonly openVariable: (name: string) => string;
}

const posix: ShellDialect = { openVariable: (name) => `\${${name}}` };
const zsh: ShellDialect = { openVariable: (name) => `\${=${name}}` };

/**
 * The Unix shell that reads a script: the interpreter, or the one that the interpreter itself starts. Undefined for
 * anything else.
 */
export function shellDialect(interpreter: string): ShellDialect | undefined {
  const name = interpreter.slice(interpreter.lastIndexOf('/') + 1);
  if (name === 'zsh') return zsh;
  // `nix-shell` gives its text to bash.
  return isUnixShell(interpreter) || name === 'nix-shell' ? posix : undefined;
}

/** The program that reads a script: that of its `#!` line unless the step names a shell, with `env` looked through. */
export function textInterpreter(text: string, { shell, isStepShell }: StepShell): string {
  const own = isStepShell ? undefined : parseInterpreter(text);
  const [program = 'sh', ...args] = shell;
  return finalProgram(own ?? { program, args });
}
