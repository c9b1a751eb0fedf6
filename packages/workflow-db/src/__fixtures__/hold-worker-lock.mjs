// Holds the lock of the worker of argument 2 on the SQLite file of argument 1 until the process is ended.
import { createWorkerLocks } from '@weir/workflow-db';

createWorkerLocks(process.argv[2]).hold(process.argv[3]);
process.stdout.write('held\n');
setInterval(() => undefined, 60_000);
