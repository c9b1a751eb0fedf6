// Uses one file of SQLite, DuckDB or a workbook in a process of its own: the libraries work synchronously, and only a
// process can be bounded, and ended in the middle of a statement.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { queryDuckdb, type DuckdbQuery } from './sql/duckdb-query';
import { ImportProblem } from './sql/import-rows';
import { useSqlite, type SqliteImport, type SqliteQuery } from './sql/sqlite-file';
import { useWorkbook, type XlsxRequest } from './xlsx/xlsx-request';

type FileRequest = SqliteQuery | SqliteImport | DuckdbQuery | XlsxRequest;

async function main(requestFile: string): Promise<void> {
  const request = JSON.parse(readFileSync(requestFile, 'utf8')) as FileRequest;
  writeFileSync(`${requestFile}.result`, JSON.stringify(await answer(request)));
}

function answer(request: FileRequest): Promise<object> {
  if (request.kind === 'xlsx') return useWorkbook(request, print);
  return request.kind === 'duckdb' ? queryDuckdb(request, print) : useSqlite(request, print);
}

async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ImportProblem ? 'input_file: ' : ''}${text}\n`);
  process.exitCode = 1;
});
