import type Sqlite from 'better-sqlite3';

/** The part of a prepared statement that Prisma's adapter uses. */
interface BoundStatement {
  readonly reader: boolean;
  run(): Sqlite.RunResult;
  columns(): Sqlite.ColumnDefinition[];
  raw(): { all(): unknown[] };
}

const maxCached = 500;

/**
 * Caches the compiled statements of a connection: the adapter prepares every query again, which is a large part of the
 * cost of a small one. The least recently used statements are dropped.
 *
 * @param client The connection of `PrismaBetterSqlite3`; only `prepare(sql).bind(values)` is replaced.
 */
export function reuseStatements(client: Pick<Sqlite.Database, 'prepare'>): void {
  const cache = new Map<string, CachedStatement>();
  const compile = client.prepare.bind(client) as (sql: string) => Sqlite.Statement;
  const prepareOnce = (sql: string): CachedStatement => {
    const known = cache.get(sql);
    // Inserted again, so that the first entry is the least recently used one.
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

/** Describing the columns costs as much as a small query, so it is done once. The columns of `*` may change. */
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
