import { setImmediate } from 'node:timers/promises';

/**
 * Lets the event loop handle what has arrived, between two parts of long work. A single `setImmediate` would continue
 * before the next look at the sockets where the work itself began with a socket.
 */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
