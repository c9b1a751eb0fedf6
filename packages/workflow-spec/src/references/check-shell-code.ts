import type { Reference } from './reference';
import type { ReferenceProblem } from './reference-problem';
import { isNamespace } from './scope';

/** A command that executes one of its words as code, with that word still open. */
const nestedCode =
  /(?:^|[\s;&|(`])(?:eval|(?:\S*\/)?(?:ba|da|z|k|mk|a)?sh\s+(?:-\S+\s+)*-[A-Za-z]*c)\s+(?:"[^"]*|'[^']*|\S*)$/;
/** So that a long line costs no more than a short one. */
const window = 512;

/** Whether the value of a reference in a command could be executed although the engine passes it as a variable. */
export function checkShellCode(text: string, reference: Reference): ReferenceProblem | undefined {
  const { start, end, head, path, isRaw } = reference;
  const written = text.slice(start, end);
  if (isRaw) {
    const message = `the value of ${written} is executed as code: whoever may start the DAG decides what it does`;
    return { code: 'reference_raw', message };
  }
  if (!isNamespace(head) && path.length === 0) return undefined;
  const before = text.slice(Math.max(0, start - window), start);
  if (!nestedCode.test(before.slice(before.lastIndexOf('\n') + 1))) return undefined;
  const message = `the value of ${written} becomes code of another shell; pass it to that shell as an argument`;
  return { code: 'reference_in_nested_code', message };
}
