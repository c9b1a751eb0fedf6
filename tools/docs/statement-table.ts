import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { missingOperations, statements } from './statements';

const apps = path.resolve(__dirname, '../../apps');
const folders = ['workflow-ui-e2e', 'rollout-ui-e2e'];

export interface StatementProof {
  readonly number: number;
  readonly text: string;
  /** File names of the specs that name the statement. */
  readonly specs: readonly string[];
}

export function listProofs(): readonly StatementProof[] {
  const named = folders.flatMap(listSpecs).map((file) => ({ file, numbers: findNumbers(readFileSync(file, 'utf8')) }));
  return statements.map((text, index) => ({
    number: index + 1,
    text,
    specs: named.filter(({ numbers }) => numbers.has(index + 1)).map(({ file }) => path.basename(file)),
  }));
}

export function statementTable(all: readonly StatementProof[]): string {
  const rows = all.map(({ number, text, specs }) => {
    const missing = missingOperations.get(number);
    const proofs = [...specs.map((spec) => `\`${spec}\``), ...(missing === undefined ? [] : [`waits for ${missing}`])];
    return `| ${number} | ${text} | ${proofs.length === 0 ? 'not yet' : proofs.join(', ')} |`;
  });
  return ['| | A person can … | Proved by |', '| --- | --- | --- |', ...rows].join('\n');
}

function listSpecs(folder: string): readonly string[] {
  const sources = path.join(apps, folder, 'src');
  if (!existsSync(sources)) return [];
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => path.join(sources, file))
    .sort();
}

/** Reads `statement 4`, `statements 5, 6 and 7` and `statement 8/9`. */
function findNumbers(text: string): ReadonlySet<number> {
  const lists = [...text.matchAll(/\bstatements? (\d+(?:(?:, | and |, and |\/)\d+)*)/gi)];
  return new Set(lists.flatMap(([, list = '']) => list.split(/\D+/).map(Number)));
}
