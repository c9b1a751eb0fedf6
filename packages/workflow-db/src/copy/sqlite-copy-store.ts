import Sqlite from 'better-sqlite3';
import type { CopiedTable } from './copied-tables';
import {
  batchClause,
  quoted,
  quotedList,
  toColumns,
  type Column,
  type CopyStore,
  type NamedType,
  type Progress,
  type Row,
} from './copy-store';

const kinds: Readonly<Record<string, Column['kind']>> = {
  TEXT: 'text',
  INTEGER: 'integer',
  REAL: 'real',
  BOOLEAN: 'boolean',
  DATETIME: 'moment',
  JSONB: 'json',
};

interface StoredProgress extends Omit<Progress, 'lastKey' | 'isDone'> {
  readonly lastKey: string;
  readonly isDone: number;
}

export function openSqliteCopyStore(file: string): CopyStore {
  const database = new Sqlite(file, { timeout: 5000, fileMustExist: true });
  database.pragma('foreign_keys = ON');
  const known = new Map<string, readonly Column[]>();
  const columnsOf = ({ name }: CopiedTable): readonly Column[] => {
    const found = known.get(name) ?? readColumns(database, name);
    known.set(name, found);
    return found;
  };
  const namesOf = (table: CopiedTable): string => quotedList(columnsOf(table).map(({ name }) => name));
  const writeAll = database.transaction((table: CopiedTable, rows: readonly Row[], progress: Progress) => {
    const places = columnsOf(table).map(() => '?');
    const insert = database.prepare(`INSERT INTO ${quoted(table.name)} (${namesOf(table)}) VALUES (${places.join()})`);
    for (const row of rows) insert.run(...row);
    const { tableName, source, level, lastKey, isDone } = progress;
    database
      .prepare(
        'INSERT OR REPLACE INTO "StoreCopy" ("tableName", "source", "level", "lastKey", "isDone") VALUES (?, ?, ?, ?, ?)',
      )
      .run(tableName, source, level, JSON.stringify(lastKey), isDone ? 1 : 0);
  });
  return {
    columns: (table) => Promise.resolve(columnsOf(table)),
    read: (table, options) => {
      const { text, values } = batchClause(table, options, () => '?');
      const query = database.prepare(`SELECT ${namesOf(table)} FROM ${quoted(table.name)} ${text}`).raw();
      const rows = query.all(...values) as Row[];
      const columns = columnsOf(table);
      return Promise.resolve(columns.some(isJson) ? rows.map((row) => withJsonText(row, columns)) : rows);
    },
    write: (table, rows, progress) => {
      writeAll.immediate(table, rows, progress);
      return Promise.resolve();
    },
    isEmpty: (table) =>
      Promise.resolve(database.prepare(`SELECT 1 FROM ${quoted(table.name)} LIMIT 1`).get() === undefined),
    highestLevel: ({ name, level }) => {
      if (level === undefined) return Promise.resolve(0);
      const query = database.prepare<[], { highest: number | null }>(
        `SELECT max(${quoted(level)}) AS highest FROM ${quoted(name)}`,
      );
      return Promise.resolve(query.get()?.highest ?? 0);
    },
    progress: () => {
      const stored = database.prepare<[], StoredProgress>('SELECT * FROM "StoreCopy"').all();
      return Promise.resolve(
        stored.map((each) => ({
          ...each,
          lastKey: JSON.parse(each.lastKey) as Progress['lastKey'],
          isDone: each.isDone === 1,
        })),
      );
    },
    clearProgress: () => Promise.resolve(void database.exec('DELETE FROM "StoreCopy"')),
    close: () => Promise.resolve(void database.close()),
  };
}

function readColumns(database: Sqlite.Database, table: string): readonly Column[] {
  return toColumns(database.prepare<[], NamedType>(`PRAGMA table_info(${quoted(table)})`).all(), kinds);
}

const isJson = ({ kind }: Column): boolean => kind === 'json';

/** SQLite stores the text of a number as a number in columns of this type. */
function withJsonText(row: Row, columns: readonly Column[]): Row {
  return row.map((value, index) =>
    typeof value === 'number' && columns[index]?.kind === 'json' ? JSON.stringify(value) : value,
  );
}
