import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { FromHost, ToHost } from './host-messages';
import { JsPool } from './js-pool';

// The process whose threads run functions, so that a fatal error of V8 does not end the server.
const minThreads = 2;

const pool = new JsPool({
  workerFile: path.join(__dirname, 'js-worker.js'),
  threads: Math.max(minThreads, availableParallelism()),
});
const pendingCalls = new Map<number, AbortController>();

const send = (message: FromHost): void => {
  // Without a channel no process is left to report to.
  if (process.connected) process.send?.(message);
};

process.on('message', (message: ToHost) => {
  if (message.kind === 'abort') pendingCalls.get(message.id)?.abort();
  else void run(message);
});
// Signals of a terminal reach the whole group; the server decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));

async function run({ id, call }: Extract<ToHost, { kind: 'run' }>): Promise<void> {
  const stop = new AbortController();
  pendingCalls.set(id, stop);
  try {
    const onPrinted = (printed: Extract<FromHost, { kind: 'printed' }>['printed']): void =>
      send({ kind: 'printed', id, printed });
    const result = await pool.run(call, { signal: stop.signal, onPrinted });
    send({ kind: 'ended', id, result });
  } catch {
    send(stop.signal.aborted ? { kind: 'ended', id } : { kind: 'ended', id, result: notRun });
  } finally {
    pendingCalls.delete(id);
  }
}

const notRun = { kind: 'failed', error: 'The function could not be run.' } as const;
