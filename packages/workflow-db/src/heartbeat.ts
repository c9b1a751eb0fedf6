import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export interface HeartbeatSender {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
}

export interface HeartbeatOptions {
  /** Of a PostgreSQL database that has the tables. */
  readonly url: string;
  readonly runner: HeartbeatSender;
  readonly everyMs: number;
  /** Told before a beat is sent. */
  readonly onSending: () => void;
  /** Told after a beat was stored. */
  readonly onStored: () => void;
  /** Told of a beat that could not be stored. The next one is tried all the same. */
  readonly onFailed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

const answerMs = 3_000;
const beat = `
INSERT INTO "Runner" ("id", "host", "pid", "startedAt", "heartbeatAt")
VALUES ($1, $2, $3, $4::timestamptz AT TIME ZONE 'utc', clock_timestamp() AT TIME ZONE 'utc')
ON CONFLICT ("id") DO UPDATE SET "heartbeatAt" = EXCLUDED."heartbeatAt"`;

/**
 * Says that a runner is alive, by the clock of the database and over a connection of its own, until `signal` is
 * aborted. Never rejects. Needs nothing but this module and the driver, so that a small thread can do it.
 */
export async function sendHeartbeats({
  url,
  runner,
  everyMs,
  onSending,
  onStored,
  onFailed,
  signal,
}: HeartbeatOptions): Promise<void> {
  let client: Client | undefined;
  const values = [runner.id, runner.host, runner.pid, runner.startedAt.toISOString()];
  while (!signal.aborted) {
    try {
      client ??= await connect(url);
      onSending();
      await client.query(beat, values);
      onStored();
    } catch (error) {
      onFailed(error);
      await close(client);
      client = undefined;
    }
    // Ends early, by an abort, only when it is to stop.
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
  await close(client);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
    application_name: 'weir heartbeat',
  });
  // A connection that breaks between two beats is noticed by the next one.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function close(client: Client | undefined): Promise<void> {
  // It is given up in any case.
  await client?.end().catch(() => undefined);
}
