import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export interface HeartbeatSender {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly labels: Readonly<Record<string, string>>;
  readonly maxRuns: number;
  readonly version: string;
  readonly claims: boolean;
}

export interface HeartbeatOptions {
  /** The URL of a PostgreSQL database with the tables. */
  readonly url: string;
  readonly worker: HeartbeatSender;
  readonly everyMs: number;
  /** Called before a heartbeat is sent. */
  readonly onSending: () => void;
  /** Called after a heartbeat was stored. */
  readonly onStored: () => void;
  /** Called when a heartbeat could not be stored. The next one is still sent. */
  readonly onFailed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

const timeoutMs = 3_000;
const upsertHeartbeat = `
INSERT INTO "Runner" ("id", "host", "pid", "startedAt", "labels", "maxRuns", "version", "claims", "databaseUser", "heartbeatAt")
VALUES ($1, $2, $3, $4::timestamptz AT TIME ZONE 'utc', $5, $6, $7, $8, current_user, clock_timestamp() AT TIME ZONE 'utc')
ON CONFLICT ("id") DO UPDATE SET "heartbeatAt" = EXCLUDED."heartbeatAt"`;

/**
 * Stores heartbeats of a worker until `signal` is aborted, by the clock of the database and over a separate connection.
 * Never rejects. Needs only this module and the driver, so that a small thread can do it.
 */
export async function sendHeartbeats({
  url,
  worker,
  everyMs,
  onSending,
  onStored,
  onFailed,
  signal,
}: HeartbeatOptions): Promise<void> {
  let client: Client | undefined;
  const { id, host, pid, startedAt, labels, maxRuns, version, claims } = worker;
  const values = [id, host, pid, startedAt.toISOString(), JSON.stringify(labels), maxRuns, version, claims];
  while (!signal.aborted) {
    try {
      client ??= await connect(url);
      onSending();
      await client.query(upsertHeartbeat, values);
      onStored();
    } catch (error) {
      onFailed(error);
      await close(client);
      client = undefined;
    }
    // Rejects only when it is aborted.
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
  await close(client);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: 'weir heartbeat',
  });
  // The next heartbeat notices a connection that broke.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function close(client: Client | undefined): Promise<void> {
  // The connection is abandoned in any case.
  await client?.end().catch(() => undefined);
}
