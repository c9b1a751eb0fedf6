import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export interface TakeOver {
  readonly runId: string;
  readonly from: string;
  readonly to: string;
  /** How long the owner had been silent, in milliseconds. */
  readonly silentMs: number;
}

export interface TakeOvers {
  readonly found: readonly TakeOver[];
  stop(): Promise<void>;
}

interface Held {
  readonly runId: string;
  readonly owner: string;
  readonly silentMs: number | null;
}

const everyMs = 200;
/** The claims of a worker that has been silent for this long can be taken over. */
const leaseMs = 10_000;

/** Looks at the claims in the database again and again. */
export async function watchTakeOvers(databaseUrl: string): Promise<TakeOvers> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'chaos' });
  await client.connect();
  const found: TakeOver[] = [];
  let known = new Map<string, Held>();
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    const { rows } = await client.query<Held>(
      `SELECT i."runId", i."claimedBy" AS "owner",
         (extract(epoch FROM (clock_timestamp() AT TIME ZONE 'utc') - a."heartbeatAt") * 1000)::float8 AS "silentMs"
       FROM "QueueItem" i LEFT JOIN "Runner" a ON a."id" = i."claimedBy" WHERE i."claimedBy" > ''`,
    );
    for (const held of rows) {
      const before = known.get(held.runId);
      if (before === undefined || before.owner === held.owner || (before.silentMs ?? 0) < leaseMs) continue;
      const { runId, owner: to } = held;
      found.push({ runId, from: before.owner, to, silentMs: before.silentMs ?? 0 });
    }
    known = new Map(rows.map((held) => [held.runId, held]));
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await delay(everyMs);
    }
  })();
  return {
    found,
    stop: async () => {
      stopping.abort();
      await watching;
      await client.end();
    },
  };
}
