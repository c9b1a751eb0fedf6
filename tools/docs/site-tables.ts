import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findingsPage, languageTables } from '@weir/workflow-spec/docs';
import { proofsOfContract, proofTable } from './proof-table';
import { listServed, servedTable } from './served-operations';
import { listProofs, statementTable } from './statement-table';

const docs = path.resolve(__dirname, '../../docs');
const marked = /^<!-- table: (.*?) -->$/gm;

const named: Readonly<Record<string, () => string>> = {
  'endpoint-proofs': () => proofTable(proofsOfContract()),
  'known-clients': () => servedTable(listServed()),
  statements: () => statementTable(listProofs()),
  findings: () => findingsPage(),
};

/** The tables of all pages of the documents, by the marks that stand for them: `<!-- table: findings -->`. */
export function siteTables(): ReadonlyMap<string, string> {
  const pages = globSync('**/*.md', { cwd: docs }).map((page) => readFileSync(path.join(docs, page), 'utf8'));
  return new Map(pages.flatMap((page) => [...tablesOf(page)]));
}

/** Throws for a table that does not exist. */
export function tablesOf(page: string): ReadonlyMap<string, string> {
  const byName = [...page.matchAll(marked)].map(([mark, name = '']): [string, string] => {
    const table = named[name];
    if (table === undefined) throw new Error(`There is no table ${name}.`);
    return [mark, table()];
  });
  return new Map([...byName, ...languageTables(page)]);
}
