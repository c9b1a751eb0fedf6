// Checks that the two migration histories belong together and to the models:
//   1. both have the same migrations, each with SQL in it;
//   2. applied to empty databases by the product's own runner, they make the same tables, columns, defaults, keys,
//      indexes, references, full-text indexes and triggers;
//   3. Prisma finds no difference between each database and the models, and agrees that its ledger is complete.
// `node tools/scripts/check-migrations.mjs`; exits 1 and lists what differs. PostgreSQL is a throw-away server from
// npm, or the one that WEIR_TEST_POSTGRES_URL names.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const workflowDb = path.resolve(import.meta.dirname, '../../packages/workflow-db');
const migrations = path.join(workflowDb, 'prisma/migrations');
const require = createRequire(path.join(workflowDb, 'package.json'));
const ledger = '_prisma_migrations';

const typeNames = {
  TEXT: 'text',
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  DATETIME: 'moment',
  JSONB: 'json',
  REAL: 'real',
  BIGINT: 'large integer',
  bigint: 'large integer',
  text: 'text',
  integer: 'integer',
  boolean: 'boolean',
  'timestamp without time zone': 'moment',
  jsonb: 'json',
  'double precision': 'real',
};

const sourceFlags = ['--conditions=@weir/source', '--import', import.meta.resolve('tsx')];

if (process.execArgv.includes('--conditions=@weir/source')) {
  process.exitCode = report(await findProblems());
} else {
  // The packages are read from their sources, so that nothing has to be built before.
  const { status } = spawnSync(process.execPath, [...sourceFlags, fileURLToPath(import.meta.url)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

function report(problems) {
  if (problems.length === 0) {
    const { sqlite } = migrationNames();
    console.log(`Both migration histories (${sqlite.length} migrations) agree with each other and with the models.`);
    return 0;
  }
  for (const problem of problems) console.error(`- ${problem}`);
  console.error(`The migrations have ${problems.length} problems.`);
  return 1;
}

async function findProblems() {
  const historyProblems = compareHistories();
  if (historyProblems.length > 0) return historyProblems;

  const { startPostgres, temporaryFolder } = await importPackage('@weir/test-kit');
  const folder = temporaryFolder();
  const postgres = await startPostgres();
  try {
    const database = await postgres.createDatabase();
    return await checkDatabases({ sqlite: `file:${folder.file('check.db')}`, postgresql: database.url });
  } finally {
    await postgres.stop();
    await folder.remove();
  }
}

async function checkDatabases(urls) {
  const { applyMigrations, parseDatabaseUrl } = await importPackage('@weir/workflow-db');
  for (const url of Object.values(urls)) await applyMigrations({ url, folder: migrations });
  const sqlite = sqliteShape(parseDatabaseUrl(urls.sqlite).file);
  const postgresql = await postgresShape(urls.postgresql);
  const fromPrisma = await Promise.all(Object.entries(urls).map(([provider, url]) => askPrisma(provider, url)));
  return [...compareShapes(sqlite, postgresql), ...fromPrisma.flat()];
}

function importPackage(name) {
  return import(pathToFileURL(require.resolve(name)).href);
}

function migrationNames() {
  const listNames = (provider) =>
    globSync('*/', { cwd: path.join(migrations, provider) })
      .map((name) => path.basename(name))
      .sort();
  return { sqlite: listNames('sqlite'), postgresql: listNames('postgresql') };
}

function compareHistories() {
  const names = migrationNames();
  const all = [...new Set([...names.sqlite, ...names.postgresql])].sort();
  if (all.length === 0) return [`There are no migrations in ${migrations}.`];
  return all.flatMap((name) => [
    ...(/^\d{14}_[a-z0-9]+(_[a-z0-9]+)+$/.test(name) ? [] : [`${name} is not named <stamp>_<verb_object>.`]),
    ...Object.keys(names).flatMap((provider) => {
      const file = path.join(migrations, provider, name, 'migration.sql');
      if (!existsSync(file)) return [`${name} has no migration.sql for ${provider}.`];
      return readFileSync(file, 'utf8').trim() === '' ? [`${name} is empty for ${provider}.`] : [];
    }),
  ]);
}

/** Both shapes map names to descriptions that mean the same on both databases. */
function compareShapes(sqlite, postgresql) {
  const things = [...new Set([...sqlite.keys(), ...postgresql.keys()])].sort();
  return things
    .filter((thing) => sqlite.get(thing) !== postgresql.get(thing))
    .map((thing) => {
      const describe = (shape) => shape.get(thing) ?? 'missing';
      return `${thing}: SQLite has ${describe(sqlite)}; PostgreSQL has ${describe(postgresql)}.`;
    });
}

function typeName(type) {
  return typeNames[type] ?? `unknown type ${type}`;
}

function column(type, isNullable, defaultValue) {
  const fallback = defaultValue === null ? '' : `, default ${defaultValue.replace(/::[a-z ]+$/, '')}`;
  return `${typeName(type)}, ${isNullable ? 'may be null' : 'not null'}${fallback}`;
}

function sqliteShape(file) {
  const Sqlite = require('better-sqlite3');
  const db = new Sqlite(file, { readonly: true });
  const shape = new Map();
  const listTables = db.prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = ? AND name <> ?`);
  const tables = listTables
    .pluck()
    .all('table', ledger)
    .filter((name) => !name.startsWith('sqlite_'));
  const textIndexes = listTables.all('virtual', ledger);
  for (const name of textIndexes) shape.set(`full-text index ${name}`, 'there');
  for (const { name, table } of db
    .prepare(`SELECT name, tbl_name AS "table" FROM sqlite_master WHERE type = 'trigger'`)
    .all()) {
    // PostgreSQL maintains its indexes without them.
    if (!textIndexes.some((index) => name.startsWith(`${index}_`))) shape.set(`trigger ${name}`, `on ${table}`);
  }
  for (const table of tables) {
    const columns = db.pragma(`table_info("${table}")`);
    for (const { name, type, notnull, dflt_value: fallback } of columns) {
      shape.set(`column ${table}.${name}`, column(type, notnull === 0, fallback));
    }
    const keyColumns = columns.filter(({ pk }) => pk > 0).sort((left, right) => left.pk - right.pk);
    shape.set(`primary key of ${table}`, keyColumns.map(({ name }) => name).join(', '));
    for (const { name, unique, origin } of db.pragma(`index_list("${table}")`)) {
      if (origin === 'pk') continue;
      const indexed = db.pragma(`index_info("${name}")`).map((part) => part.name);
      shape.set(`index ${name}`, `${unique ? 'unique' : 'plain'} on ${table} (${indexed.join(', ')})`);
    }
    for (const reference of db.pragma(`foreign_key_list("${table}")`)) {
      const target = `${reference.table}.${reference.to}, on delete ${reference.on_delete}`;
      shape.set(`reference ${table}.${reference.from}`, target);
    }
  }
  db.close();
  return shape;
}

async function postgresShape(url) {
  const { Client } = require('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  const shape = new Map();
  const queryRows = async (sql) => (await client.query(sql, [ledger])).rows;
  for (const row of await queryRows(
    `SELECT table_name, column_name, data_type, is_nullable, column_default
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> $1`,
  )) {
    const isNullable = row.is_nullable === 'YES';
    shape.set(`column ${row.table_name}.${row.column_name}`, column(row.data_type, isNullable, row.column_default));
  }
  for (const { table, index, isUnique, isPrimary, columns } of await queryRows(
    `SELECT t.relname AS "table", i.relname AS "index", x.indisunique AS "isUnique", x.indisprimary AS "isPrimary",
            (SELECT string_agg(a.attname, ', ' ORDER BY k.position)
               FROM unnest(x.indkey) WITH ORDINALITY AS k(number, position)
               JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number) AS "columns"
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> $1`,
  )) {
    if (isPrimary) shape.set(`primary key of ${table}`, columns);
    // It has no columns, because it is of an expression.
    else if (columns === null) shape.set(`full-text index ${index}`, 'there');
    else shape.set(`index ${index}`, `${isUnique ? 'unique' : 'plain'} on ${table} (${columns})`);
  }
  for (const { table, source, target, targetColumn, onDelete } of await queryRows(
    `SELECT t.relname AS "table", a.attname AS "source", r.relname AS "target", b.attname AS "targetColumn",
            CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'r' THEN 'RESTRICT' WHEN 'n' THEN 'SET NULL'
                               WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END AS "onDelete"
       FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid
       CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k(own, other)
       JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.own
       JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.other
      WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND t.relname <> $1`,
  )) {
    shape.set(`reference ${table}.${source}`, `${target}.${targetColumn}, on delete ${onDelete}`);
  }
  for (const { name, table } of await queryRows(
    `SELECT g.tgname AS "name", t.relname AS "table" FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
      WHERE NOT g.tgisinternal AND t.relnamespace = 'public'::regnamespace AND t.relname <> $1`,
  )) {
    shape.set(`trigger ${name}`, `on ${table}`);
  }
  await client.end();
  return shape;
}

/** Runs two commands of Prisma's, and trusts their words only: a crash of the engine may still exit with 0. */
async function askPrisma(provider, url) {
  const run = async (expected, ...args) => {
    const prisma = path.join(path.dirname(require.resolve('prisma/package.json')), 'build/index.js');
    const config = path.join(workflowDb, 'prisma/prisma.config.ts');
    const env = { ...process.env, NODE_OPTIONS: '', WEIR_DATABASE_URL: url };
    const settings = { cwd: workflowDb, env, timeout: 120_000 };
    // A difference is exit code 2, which is an error here, with the same output.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [prisma, ...args, '--config', config],
      settings,
    ).catch((error) => error);
    if (stdout?.includes(expected)) return [];
    return [`prisma ${args.slice(0, 2).join(' ')} on ${provider}:\n${stdout ?? ''}\n${stderr ?? ''}`];
  };
  const schema = path.join(workflowDb, 'prisma/.composed', provider, 'schema.prisma');
  return [
    ...(await run('No difference detected', 'migrate', 'diff', '--from-config-datasource', '--to-schema', schema)),
    ...(await run('Database schema is up to date', 'migrate', 'status')),
  ];
}
