import { parentPort, workerData } from 'node:worker_threads';
import { sendHeartbeats } from '@weir/workflow-db/heartbeat';
import type { HeartbeatNews, HeartbeatWork } from './heartbeat-messages';

// In a thread of its own: however busy the main thread is, its runs are not taken for lost.
const { url, runner, everyMs, lastBeat } = workerData as HeartbeatWork;
const stopping = new AbortController();
const times = new BigInt64Array(lastBeat);
const tell = (news: HeartbeatNews): void => parentPort?.postMessage(news);
let sentAt = process.hrtime.bigint();

parentPort?.once('message', () => stopping.abort());
void sendHeartbeats({
  url,
  runner,
  everyMs,
  onSending: () => {
    sentAt = process.hrtime.bigint();
  },
  onStored: () => {
    Atomics.store(times, 0, sentAt);
    tell({ kind: 'stored' });
  },
  onFailed: (error) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
    tell({ kind: 'failed', code });
  },
  signal: stopping.signal,
}).then(() => parentPort?.close());
