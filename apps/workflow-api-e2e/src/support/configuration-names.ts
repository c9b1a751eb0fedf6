import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The variables that the server reads, from the table that is generated from its configuration. */
export function readVariableNames(): ReadonlySet<string> {
  const text = readFileSync(path.resolve(__dirname, '../../../workflow-api/README.md'), 'utf8');
  return new Set(Array.from(text.matchAll(/^\| `(WEIR_[A-Z0-9_]+)` /gm), ([, name = '']) => name));
}
