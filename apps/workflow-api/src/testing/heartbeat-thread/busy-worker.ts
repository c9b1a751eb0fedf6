import { createRecordingLogger } from '@weir/test-kit';
import { Secret } from '@weir/service-kit';
import { createThreadHeartbeat } from '../../heartbeat-thread/thread-heartbeat';
import { aWorker } from '../worker-builders';

// The main thread of this program is busy for a given time while its heartbeat thread is running.
const [workerFile = '', url = '', id = '', busyMs = '0'] = process.argv.slice(2);
const heartbeat = createThreadHeartbeat({
  workerFile,
  url: new Secret(url),
  worker: aWorker({ id, pid: process.pid }),
  logger: createRecordingLogger(),
});

void heartbeat.start(true).then(async () => {
  // The line is written before the loop blocks.
  process.stdout.write('busy\n');
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(busyMs));
  await heartbeat.stop();
});
