// The work of the steps of the chaos runs: one row in a table of effects, once for each idempotency key, and one row
// for each execution. `node write-effect.mjs <database> <step> <milliseconds>`.
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';

const [file, step, waitMs] = process.argv.slice(2);
const { WEIR_RUN_ID: run, WEIR_IDEMPOTENCY_KEY: key, WEIR_FENCING_TOKEN: token } = process.env;
const database = new Sqlite(file, { timeout: 10_000 });
database.prepare('INSERT INTO execution (run, step, token) VALUES (?, ?, ?)').run(run, step, token);
await delay(Number(waitMs));
database.prepare('INSERT INTO effect (key, run, step) VALUES (?, ?, ?) ON CONFLICT DO NOTHING').run(key, run, step);
database.close();
