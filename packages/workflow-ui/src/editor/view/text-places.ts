import type { Text } from '@codemirror/state';
import type { Finding } from '@weir/workflow-spec';

type Range = Pick<Finding, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** The range of a finding in a text, which may have changed since: never outside of it. */
export function placeOf(
  doc: Text,
  { line, column, endLine, endColumn }: Range,
): { readonly from: number; readonly to: number } {
  const from = offsetOf(doc, line, column);
  return { from, to: Math.max(from, offsetOf(doc, endLine, endColumn)) };
}

function offsetOf(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const found = doc.line(Math.max(1, line));
  return Math.min(found.to, found.from + column - 1);
}
