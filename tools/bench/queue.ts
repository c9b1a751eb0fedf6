// Measures the queue of runs on SQLite, in this process and with every commit on disk. `npm run bench queue` runs it.
import path from 'node:path';

interface QueueBench {
  readonly measureQueue: () => Promise<void>;
}

// The measured parts are not a package, so this file is loaded from their folder.
const bench = path.resolve(__dirname, '../../apps/workflow-api/src/testing/queue-bench.ts');

void (import(bench) as Promise<QueueBench>).then(({ measureQueue }) => measureQueue());
