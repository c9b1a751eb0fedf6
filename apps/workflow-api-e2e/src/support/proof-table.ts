import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { seedEndpoints } from './seed-endpoints';

export interface Proof {
  readonly operation: string;
  readonly status: number;
  readonly file: string;
  /** Names of the cases that show this status. */
  readonly cases: readonly string[];
}

const folder = path.resolve(__dirname, '..');
// A suite is named for its operation, perhaps with a circumstance behind it, and a case begins with its status.
const suiteOrCase = /^ *(?:describe\('((?:GET|POST|PATCH|PUT|DELETE) \/[^' ]*)[^']*'|it\('returns (\d{3})([^']*)')/gm;

/** The proof of each status of the described API: the cases of these specs that show it. */
export function proofsOfSeed(): readonly Proof[] {
  const cases = readdirSync(folder)
    .filter((file) => file.endsWith('.spec.ts'))
    .sort()
    .flatMap((file) => readCases(file));
  return seedEndpoints.flatMap(([operation, statuses]) =>
    statuses.map((status) => {
      const matching = cases.filter((found) => found.operation === operation && found.status === status);
      return { operation, status, file: matching[0]?.file ?? '', cases: matching.map(({ name }) => name) };
    }),
  );
}

interface Case {
  readonly operation: string;
  readonly status: number;
  readonly name: string;
  readonly file: string;
}

function readCases(file: string): readonly Case[] {
  const found: Case[] = [];
  let operation = '';
  for (const [, suite, status, rest = ''] of readFileSync(path.join(folder, file), 'utf8').matchAll(suiteOrCase)) {
    if (suite !== undefined) operation = suite;
    else if (status !== undefined)
      found.push({ operation, status: Number(status), name: `returns ${status}${rest}`, file });
  }
  return found;
}

export function proofTable(proofs: readonly Proof[]): string {
  const rows = proofs.map(
    ({ operation, status, file, cases }) => `| \`${operation}\` | ${status} | \`${file}\` | ${cases.join('<br>')} |`,
  );
  return ['| Operation | Status | Spec | Cases |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
