import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';

/** A range of lines and columns, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Returns where a step of the first document is defined, by its name or id. */
export function stepPlace(text: string, step: string): Place | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const steps = isMap(document.contents) ? document.contents.get('steps', true) : undefined;
  const found = isSeq(steps)
    ? steps.items.find((item) => isMap(item) && ['name', 'id'].some((key) => item.get(key) === step))
    : isMap(steps)
      ? steps.items.find(({ key }) => isScalar(key) && key.value === step)?.key
      : undefined;
  const offset = (found as Node | undefined)?.range?.[0];
  if (offset === undefined) return undefined;
  const { line, col } = lines.linePos(offset);
  return { line, column: col, endLine: line, endColumn: col };
}
