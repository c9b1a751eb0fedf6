import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';

export interface ChannelOptions {
  /** The URL of a PostgreSQL database. */
  readonly url: string;
  readonly channel: string;
  /**
   * Called with the payload of every notification, and without one after every connect, because some may have been
   * missed before.
   */
  readonly onNotified: (payload?: string) => void;
}

const timeoutMs = 5_000;
const reconnectMs = 1_000;
/** How often a silent connection is tested, so that a connection that broke silently is noticed. */
const checkMs = 60_000;

/**
 * Listens over a separate connection until the returned function is called. A broken connection is replaced;
 * notifications in between are lost. Resolves once it listens, or could not connect for the first time.
 */
export async function listenToChannel(options: ChannelOptions): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let listening = Promise.resolve();
  await new Promise<void>((resolve) => {
    listening = keepListening(options, stopping.signal, resolve);
  });
  return async () => {
    stopping.abort();
    await listening;
  };
}

async function keepListening(options: ChannelOptions, signal: AbortSignal, onAttempt: () => void): Promise<void> {
  while (!signal.aborted) {
    const client = createClient(options.url);
    try {
      await client.connect();
      client.on('notification', ({ payload = '' }) => options.onNotified(payload));
      await client.query(`LISTEN ${escapeIdentifier(options.channel)}`);
      options.onNotified();
      onAttempt();
      await untilBroken(client, signal);
    } catch {
      // Every listener also polls, and reports problems of the database.
    } finally {
      onAttempt();
      await client.end().catch(() => undefined);
    }
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
  }
}

async function untilBroken(client: Client, signal: AbortSignal): Promise<void> {
  const broken = new AbortController();
  client.once('error', () => broken.abort());
  client.once('end', () => broken.abort());
  const ended = AbortSignal.any([signal, broken.signal]);
  while (!ended.aborted) {
    const isDue = await delay(checkMs, true, { signal: ended }).catch(() => false);
    if (isDue) await client.query('SELECT 1');
  }
}

function createClient(url: string): Client {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: 'weir listener',
  });
  // It also ends the wait, or rejects the query in progress.
  client.on('error', () => undefined);
  return client;
}
