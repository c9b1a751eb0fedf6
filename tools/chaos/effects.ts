import Sqlite from 'better-sqlite3';

export interface Effects {
  readonly file: string;
  /** Executions that began so far. */
  executions(): number;
  /** Effects that were written so far. */
  written(): number;
  /** The number of steps of a run that left more than one effect, and of those that left none. */
  doubles(): number;
  missing(runs: readonly string[], steps: readonly string[]): number;
  close(): void;
}

/** The table outside of the server that its steps write to. */
export function openEffects(file: string): Effects {
  const database = new Sqlite(file, { timeout: 10_000 });
  database.pragma('journal_mode = WAL');
  database.exec(`
    CREATE TABLE IF NOT EXISTS effect (key TEXT PRIMARY KEY, run TEXT NOT NULL, step TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS effect_of ON effect (run, step);
    CREATE TABLE IF NOT EXISTS execution (run TEXT NOT NULL, step TEXT NOT NULL, token INTEGER NOT NULL);
  `);
  const count = (sql: string, ...values: readonly string[]): number =>
    (database.prepare(sql).get(...values) as { readonly count: number }).count;
  return {
    file,
    executions: () => count('SELECT COUNT(*) AS count FROM execution'),
    written: () => count('SELECT COUNT(*) AS count FROM effect'),
    doubles: () => count('SELECT COUNT(*) AS count FROM (SELECT 1 FROM effect GROUP BY run, step HAVING COUNT(*) > 1)'),
    missing: (runs, steps) => {
      const has = database.prepare('SELECT COUNT(*) AS count FROM effect WHERE run = ? AND step = ?');
      const isMissing = (run: string, step: string) => (has.get(run, step) as { readonly count: number }).count === 0;
      return runs.reduce((sum, run) => sum + steps.filter((step) => isMissing(run, step)).length, 0);
    },
    close: () => database.close(),
  };
}
