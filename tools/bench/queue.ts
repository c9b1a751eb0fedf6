// Measures the queue of runs on SQLite, in this process and with every commit on disk. `npm run bench:queue` runs it.
import path from 'node:path';

interface QueueBench {
  readonly measureQueue: () => Promise<void>;
}

// The parts that it measures are no package, so it is loaded from beside them.
const bench = path.resolve(__dirname, '../../apps/workflow-api/src/testing/queue-bench.ts');

void (import(bench) as Promise<QueueBench>).then(({ measureQueue }) => measureQueue());
