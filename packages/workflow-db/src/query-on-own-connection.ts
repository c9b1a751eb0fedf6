import { Client, type QueryResult } from 'pg';

const timeoutMs = 10_000;

/** Executes one query over a connection that is opened for it; nothing is returned for several statements. */
export async function queryOnOwnConnection(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'weir',
  });
  // It also rejects the query in progress.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result: QueryResult<Record<string, unknown>> | readonly unknown[] = await client.query(text, [...values]);
    // Several statements in one text have several results.
    return 'rows' in result ? result.rows : [];
  } finally {
    await client.end().catch(() => undefined);
  }
}
