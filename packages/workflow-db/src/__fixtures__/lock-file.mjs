// Claims the SQLite file of argument 1 and keeps it until the process is ended.
import { lockSqliteFile } from '@weir/workflow-db';

lockSqliteFile(process.argv[2]);
process.stdout.write('locked\n');
setInterval(() => undefined, 60_000);
