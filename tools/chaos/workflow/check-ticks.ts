import { Client } from 'pg';
import { tickDag } from './cluster';

const minuteMs = 60_000;

/** The occurrences of the schedule of every minute that have no run between two that have one, and that have several. */
export async function checkTicks(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly time: Date; readonly count: string }>(
      'SELECT "scheduleTime" AT TIME ZONE \'utc\' AS "time", count(*) AS "count" FROM "DagRun" WHERE "dagName" = $1 GROUP BY 1 ORDER BY 1',
      [tickDag],
    );
    const lost = rows
      .slice(1)
      .filter(({ time }, index) => time.getTime() - (rows[index]?.time.getTime() ?? 0) !== minuteMs);
    const double = rows.filter(({ count }) => Number(count) > 1);
    const text = ({ time }: { readonly time: Date }): string => time.toISOString();
    return { lost: lost.map(text), double: double.map(text) };
  } finally {
    await client.end();
  }
}
