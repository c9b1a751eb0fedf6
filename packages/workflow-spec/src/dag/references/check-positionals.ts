import type { Dag } from '../../model/dag';
import type { Step } from '../../model/step';
import { positionalParams } from '../../values/params/resolve-params';
import type { ReferenceProblem } from './reference-problem';

/** Shells that read `$1` themselves, and languages in which it means something else. */
const readsDollar = /^(?:nix-shell|pwsh|powershell|(?:[a-z]*sh|ksh93|perl|ruby|[gmn]?awk|g?sed|tclsh|expect)[\d.]*)$/;

/**
 * Older files give their parameters by position and expect `$1` to be replaced in code of every language. Only a shell
 * reads it: to Python it is text.
 */
export function checkPositionals(text: string, dag: Dag, step: Step | undefined): ReferenceProblem | undefined {
  if (!text.includes('$')) return undefined;
  const count = positionalParams(dag, []).length;
  if (count === 0) return undefined;
  const program = findInterpreter(text, step?.shell, dag.shell);
  if (program === undefined || readsDollar.test(program)) return undefined;
  const [, braced, bare] =
    [...text.matchAll(/(?<!\\)\$(?:\{([1-9]\d*)\}|([1-9]))/g)].find((found) => Number(found[1] ?? found[2]) <= count) ??
    [];
  const position = braced ?? bare;
  if (position === undefined) return undefined;
  const written = braced === undefined ? `$${position}` : `\${${position}}`;
  const message = `${program} does not replace ${written}; write \${params.${position}}, or read argument ${position} of the script`;
  return { code: 'reference_positional_in_script', message };
}

/** The program of the shell of the step, of the `#!` line, or of the shell of the DAG; `env` is looked through. */
function findInterpreter(text: string, own: readonly string[] | undefined, shared: readonly string[] | undefined) {
  const line = /^#![ \t]*([^\n]*)/.exec(text)?.[1]?.trim().split(/\s+/);
  const words = own ?? line ?? shared ?? [];
  const programs = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  if (programs[0] !== 'env') return programs[0];
  return programs.slice(1).find((word) => !word.startsWith('-') && !word.includes('='));
}
