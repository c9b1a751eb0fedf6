import { createRecordingLogger } from '@weir/test-kit';
import { Secret } from '@weir/service-kit';
import { createThreadHeartbeat } from './thread-heartbeat';

// A program of its own: a runner whose main thread does nothing else for as long as it is told.
const [workerFile = '', url = '', id = '', busyMs = '0'] = process.argv.slice(2);
const heartbeat = createThreadHeartbeat({
  workerFile,
  url: new Secret(url),
  runner: { id, host: 'here', pid: process.pid, startedAt: new Date() },
  logger: createRecordingLogger(),
});

void heartbeat.start().then(async () => {
  // Written in one piece, before the loop is busy.
  process.stdout.write('busy\n');
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(busyMs));
  await heartbeat.stop();
});
