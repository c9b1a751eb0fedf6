import type { Reference } from '../../values/references/reference';
import type { ReferenceProblem } from './reference-problem';
import { isNamespace } from '../../values/references/scope';

/**
 * Whether the value of a reference in a command could be executed although the engine passes it as a variable.
 * `executor` is the program that would execute the text at that position.
 */
export function checkShellCode(
  text: string,
  reference: Reference,
  executor: string | undefined,
): ReferenceProblem | undefined {
  const { start, end, head, path, isRaw } = reference;
  const written = text.slice(start, end);
  if (isRaw) {
    const message = `the value of ${written} is executed as code: whoever may start the DAG decides what it does`;
    return { code: 'reference_raw', message };
  }
  if (executor === undefined || (!isNamespace(head) && path.length === 0)) return undefined;
  const message = `${executor} executes the value of ${written} as code, so a run fails when the value is more than a plain word; pass it as an argument or by an environment variable`;
  return { code: 'reference_in_nested_code', message };
}
