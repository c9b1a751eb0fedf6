import type { Invocation } from '../../model/ports/step-isolation';

const unixShells = new Set(['sh', 'ash', 'bash', 'dash', 'ksh', 'ksh93', 'mksh', 'zsh']);

/**
 * Reads the `#!` line as Linux does: a program and at most one argument. The file itself is not executed, because the
 * temporary folder may be mounted `noexec` and a file just written may still be open in another child (ETXTBSY).
 */
export function parseInterpreter(script: string): Invocation | undefined {
  const line = /^#![ \t]*([^\n]*)/.exec(script)?.[1]?.trim() ?? '';
  const [, program, argument] = /^(\S+)(?:[ \t]+(.*))?$/.exec(line) ?? [];
  if (program === undefined) return undefined;
  return { program, args: argument === undefined ? [] : [argument] };
}

/** The program that runs in the end: `env` starts another one, after its options and variables. */
export function finalProgram({ program, args }: Invocation): string {
  if (baseName(program) !== 'env') return program;
  const words = args.flatMap((argument) => argument.split(/\s+/));
  return words.find((word) => !word.startsWith('-') && !word.includes('=')) ?? program;
}

export function isUnixShell(program: string): boolean {
  return unixShells.has(baseName(program));
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
