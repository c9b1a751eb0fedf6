import { copyDatabase, parseDatabaseUrl } from '@weir/workflow-db';
import type { Config } from '../../config';
import { describeLocation } from '../../installation/remembered-database';
import type { ProgramHost } from '../shared/program-host';
import { formatTable } from '../shared/table';

export interface MigrateStoreOptions extends ProgramHost {
  readonly config: Config;
  /** The URL of the database to copy to. */
  readonly to: string;
}

// The number of rows between two lines about the progress.
const progressEveryRows = 50_000;

/** Copies the database of this installation into another one and prints the comparison of both. Returns the exit code. */
export async function migrateStore({
  config,
  to,
  migrationsFolder,
  print,
  printError,
}: MigrateStoreOptions): Promise<number> {
  const from = config.database.url.reveal();
  const [source, target] = [from, to].map((url) => describeLocation(parseDatabaseUrl(url), config.home));
  printError(`weir: copying ${source} to ${target}`);
  let rows = 0;
  let shownAt = 0;
  const compared: string[][] = [];
  await copyDatabase({
    from,
    to,
    migrationsFolder,
    onRows: (table, count) => {
      rows += count;
      if (rows - shownAt < progressEveryRows) return;
      shownAt = rows;
      printError(`weir: ${rows} rows copied, now ${table}`);
    },
    onCompared: (table, checksum) => compared.push([table, `${checksum.rows}`, checksum.checksum]),
  });
  print(formatTable([['TABLE', 'ROWS', 'CHECKSUM'], ...compared]));
  print(`
Each table of the copy has the rows of ${source}. To use it, set WEIR_DATABASE_URL to the address of ${target}.
Logs, artifacts, DAG files and secrets stay in ${config.home}: keep using that folder.`);
  return 0;
}
