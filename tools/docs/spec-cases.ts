import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A case that shows an answer of an operation. */
export interface SpecCase {
  readonly operation: string;
  readonly status: number;
  /** The name of the spec's file. */
  readonly file: string;
}

// A suite is named for its operation, perhaps with a circumstance behind it. A case begins with what is returned, or is in
// a suite that is named for the status.
const suiteOrCase = /^( *).*?(describe[.\w]*)?\((['"`])((?:(?!\3).)+)\3/gm;
const operationOfSuite = /^(?:GET|POST|PATCH|PUT|DELETE) \/[^\s?]*/;
const statusAlone = /^[1-5]\d\d$/;
const statusOfCase = /\b[1-5]\d\d\b/g;

/** The cases of all specs below a folder, in the order of their files. */
export function readSpecCases(folder: string): readonly SpecCase[] {
  return globSync('**/*.spec.ts', { cwd: folder })
    .toSorted()
    .flatMap((file) => readCases(path.basename(file), readFileSync(path.join(folder, file), 'utf8')));
}

function readCases(file: string, text: string): readonly SpecCase[] {
  const found: SpecCase[] = [];
  const suites: { readonly indent: number; readonly operation: string | undefined }[] = [];
  for (const [, { length: indent } = '', suite, , name = ''] of text.matchAll(suiteOrCase)) {
    while ((suites.at(-1)?.indent ?? -1) >= indent) suites.pop();
    if (suite !== undefined) suites.push({ indent, operation: operationOfSuite.exec(name)?.[0] });
    const operation = suites.findLast((around) => around.operation !== undefined)?.operation;
    const isStatus = suite !== undefined && statusAlone.test(name);
    if (operation === undefined || !(isStatus || name.startsWith('returns '))) continue;
    for (const [status] of name.matchAll(statusOfCase)) found.push({ operation, status: Number(status), file });
  }
  return found;
}
