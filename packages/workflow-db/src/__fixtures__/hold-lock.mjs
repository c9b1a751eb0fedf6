// Holds the write lock of a SQLite file until it is told to end.
import Sqlite from 'better-sqlite3';

const connection = new Sqlite(process.argv[2]);
connection.exec('BEGIN IMMEDIATE');
process.on('SIGTERM', () => {
  connection.exec('COMMIT');
  connection.close();
  process.exit(0);
});
setInterval(() => undefined, 60_000);
process.stdout.write('held\n');
