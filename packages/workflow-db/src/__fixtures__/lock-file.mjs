// Claims the SQLite file of argument 1 and keeps it until the process is ended, although nothing refers to the lock.
import { setTimeout as delay } from 'node:timers/promises';
import { lockSqliteFile } from '@weir/workflow-db';

lockSqliteFile(process.argv[2]);
for (let round = 0; round < 2; round += 1) {
  await delay(1);
  globalThis.gc();
}
process.stdout.write('locked\n');
setInterval(() => undefined, 60_000);
