import type Sqlite from 'better-sqlite3';

/** What the adapter of Prisma does with a prepared statement. */
interface BoundStatement {
  readonly reader: boolean;
  run(): Sqlite.RunResult;
  columns(): Sqlite.ColumnDefinition[];
  raw(): { all(): unknown[] };
}

const maxCached = 500;

/**
 * Lets a connection compile each text once: the adapter prepares every query anew, which is a good part of what a small
 * one costs. Of texts that nobody used for long, the compiled form is dropped.
 *
 * @param client What `PrismaBetterSqlite3` connects with; only `prepare(sql).bind(values)` is replaced.
 */
export function reuseStatements(client: Pick<Sqlite.Database, 'prepare'>): void {
  const cache = new Map<string, CachedStatement>();
  const compile = client.prepare.bind(client) as (sql: string) => Sqlite.Statement;
  const prepareOnce = (sql: string): CachedStatement => {
    const known = cache.get(sql);
    // Put in again, so that the one at the front is the one used longest ago.
    cache.delete(sql);
    const statement = known ?? cacheStatement(compile(sql));
    cache.set(sql, statement);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    return statement;
  };
  const prepare = (sql: string) => ({ bind: (values: readonly unknown[]) => bound(prepareOnce(sql), values) });
  Object.assign(client, { prepare });
}

interface CachedStatement {
  readonly statement: Sqlite.Statement;
  readonly columns: () => Sqlite.ColumnDefinition[];
}

/** Describing the columns costs as much as a small query, so it is done once; which ones `*` means may change. */
function cacheStatement(statement: Sqlite.Statement): CachedStatement {
  let described: Sqlite.ColumnDefinition[] | undefined;
  const columns = statement.source.includes('*')
    ? () => statement.columns()
    : () => (described ??= statement.columns());
  return { statement, columns };
}

function bound({ statement, columns }: CachedStatement, values: readonly unknown[]): BoundStatement {
  return {
    reader: statement.reader,
    run: () => statement.run(values),
    columns,
    raw: () => ({ all: () => statement.raw(true).all(values) }),
  };
}
