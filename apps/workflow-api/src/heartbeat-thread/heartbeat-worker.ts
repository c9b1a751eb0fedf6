import { parentPort, workerData } from 'node:worker_threads';
import { sendHeartbeats } from '@weir/workflow-db/heartbeat';
import type { HeartbeatMessage, HeartbeatOptions } from './heartbeat-messages';

// A separate thread keeps the leases alive even if the main thread is busy.
const { url, worker, everyMs, lastBeat } = workerData as HeartbeatOptions;
const stopping = new AbortController();
const times = new BigInt64Array(lastBeat);
const report = (message: HeartbeatMessage): void => parentPort?.postMessage(message);
let sentAt = process.hrtime.bigint();

parentPort?.once('message', () => stopping.abort());
void sendHeartbeats({
  url,
  worker,
  everyMs,
  onSending: () => {
    sentAt = process.hrtime.bigint();
  },
  onStored: () => {
    Atomics.store(times, 0, sentAt);
    report({ kind: 'stored' });
  },
  onFailed: (error) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
    report({ kind: 'failed', code });
  },
  signal: stopping.signal,
}).then(() => parentPort?.close());
