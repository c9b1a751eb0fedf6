#!/usr/bin/env node
// Stands in for Prisma's native schema engine, which is a download from outside npm. Prisma's CLI starts it as a
// child process and talks JSON-RPC with it, one message a line; the answers come from the WebAssembly build of the
// same engine over the driver adapters that the product uses. A development tool: the product runs its own
// migration runner. Serves generate, migrate deploy, status and diff; `migrate dev` fails, because the engine
// gets no shadow database for its data loss check. The notes name faults of Prisma 7.10.0; look at each again when
// Prisma moves.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../packages/workflow-db/package.json', import.meta.url));
const unknownError = 4466;
let namesOfLastResult;

const options = parseArguments(process.argv.slice(2));

if (options.command === 'version') {
  process.stdout.write('schema-engine-cli wasm\n');
} else if (options.command === 'cli') {
  await checkConnection();
} else {
  serve();
}

function parseArguments(args) {
  const readValues = (name) => args.flatMap((argument, index) => (argument === name ? [args[index + 1]] : []));
  const datasource = JSON.parse(readValues('--datasource')[0] ?? '{}');
  const command = args.includes('--version') ? 'version' : args.includes('cli') ? 'cli' : 'serve';
  return {
    command,
    url: datasource.url ?? process.env.WEIR_DATABASE_URL ?? 'file::memory:',
    datamodels: readValues('--datamodels').map((file) => [file, readFileSync(file, 'utf8')]),
  };
}

/** Prisma's `can-connect-to-database` and `create-database`: success is exit code 0. */
async function checkConnection() {
  try {
    const connection = await createAdapterFactory().connect();
    await connection.dispose();
  } catch (error) {
    const fields = { is_panic: false, error_code: 'P1003', message: String(error?.message ?? error) };
    const line = { level: 'ERROR', timestamp: new Date().toISOString(), target: 'schema_engine', fields };
    process.stderr.write(`${JSON.stringify(line)}\n`);
    process.exitCode = 1;
  }
}

function serve() {
  let engine;
  const engineOnce = () => (engine ??= createEngine());
  // One request at a time: the engine keeps state between the calls of one command.
  let previous = Promise.resolve();
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    const request = JSON.parse(line);
    if (request.method === undefined) return;
    previous = previous.then(() => answer(engineOnce, request));
  });
  lines.on('close', () => void previous.then(() => process.exit(0)));
}

async function answer(engineOnce, { id, method, params }) {
  try {
    const engine = await engineOnce();
    if (method === 'devDiagnostic' || method === 'diagnoseMigrationHistory') await createLedger(engine, params);
    const result = await engine[method === 'getDatabaseVersion' ? 'version' : method](params);
    // The native engine prints a diff through a separate call.
    if (method === 'diff' && result?.stdout) {
      send({ id: `print-${id}`, method: 'print', params: { content: result.stdout } });
    }
    send({ id, result: result ?? {} });
  } catch (error) {
    const data = {
      is_panic: false,
      message: String(error?.message ?? error),
      error_code: error?.code ?? null,
      meta: error?.meta ?? {},
    };
    send({ id, error: { code: unknownError, message: 'error', data } });
  }
}

// Both diagnostics fail with P1014 while the ledger is missing; applying nothing creates it.
async function createLedger(engine, { migrationsList, filters }) {
  try {
    await engine.applyMigrations({ migrationsList: { ...migrationsList, migrationDirectories: [] }, filters });
  } catch {
    // The diagnosis that follows reports what is wrong with the database in better words.
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

async function createEngine() {
  // Without this registry a panic hides its text.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => process.stderr.write(`${message}\n`) };
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm'));
  const bindings = await import(pathToFileURL(path.join(folder, 'schema_engine_bg.js')).href);
  const { instance } = await WebAssembly.instantiate(readFileSync(path.join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();

  const { bindMigrationAwareSqlAdapterFactory } = require('@prisma/driver-adapter-utils');
  // The engine panics on an empty list.
  const datamodels = options.datamodels.length > 0 ? options.datamodels : undefined;
  const ignoreLogs = () => undefined;
  return bindings.SchemaEngine.new(
    { datamodels },
    ignoreLogs,
    bindMigrationAwareSqlAdapterFactory(createAdapterFactory()),
  );
}

function createAdapterFactory() {
  return /^postgres(ql)?:/.test(options.url) ? createPostgresFactory() : createSqliteFactory();
}

function createSqliteFactory() {
  const { PrismaBetterSqlite3 } = require('@prisma/adapter-better-sqlite3');
  const factory = new PrismaBetterSqlite3({ url: options.url });
  const connectToShadowDb = factory.connectToShadowDb.bind(factory);
  factory.connectToShadowDb = async () => {
    const adapter = await connectToShadowDb();
    const executeRaw = adapter.executeRaw.bind(adapter);
    // Whole migration files arrive here, and `executeRaw` takes one statement.
    adapter.executeRaw = async (query) => {
      if (query.args?.length > 0) return executeRaw(query);
      await adapter.executeScript(query.sql);
      return 0;
    };
    return adapter;
  };
  return factory;
}

function createPostgresFactory() {
  const { PrismaPg } = require('@prisma/adapter-pg');
  const config = postgresConfig(new URL(options.url));
  const factory = new PrismaPg(config);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => readInternalChar(await connect());
  // The adapter's own version connects to the main database, or drops the shadow while still connected to it.
  factory.connectToShadowDb = async () => {
    const database = `shadow_${process.pid}_${Date.now()}`;
    const main = await factory.connect();
    await main.executeScript(`CREATE DATABASE "${database}"`);
    const shadow = readInternalChar(await new PrismaPg({ ...config, database, max: 1 }).connect());
    const disconnect = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await disconnect();
      await main.executeScript(`DROP DATABASE "${database}" WITH (FORCE)`);
      await main.dispose();
    };
    return shadow;
  };
  return factory;
}

function postgresConfig(url) {
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)),
  };
}

/**
 * PostgreSQL's catalogue uses an internal one-byte type. The adapter refuses it, and the engine panics unless it is
 * told that the column is a single character: so it passes the driver as text and is labelled afterwards. The engine
 * sends one query at a time, which is why one set of names is enough.
 */
function readInternalChar(adapter) {
  const { ColumnTypeEnum } = require('@prisma/driver-adapter-utils');
  const names = internalCharNames();
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    names.clear();
    const result = await queryRaw(query);
    const toColumnType = (name, index) => (names.has(name) ? ColumnTypeEnum.Character : result.columnTypes[index]);
    return { ...result, columnTypes: result.columnNames.map(toColumnType) };
  };
  return adapter;
}

/** The names of the internal characters in the last result; the driver is made to report them as text. */
function internalCharNames() {
  if (namesOfLastResult !== undefined) return namesOfLastResult;
  namesOfLastResult = new Set();
  const internalChar = 18;
  const text = 25;
  const Result = require('pg/lib/result.js');
  const addFields = Result.prototype.addFields;
  Result.prototype.addFields = function (fields) {
    for (const field of fields) {
      if (field.dataTypeID !== internalChar) continue;
      field.dataTypeID = text;
      namesOfLastResult.add(field.name);
    }
    return addFields.call(this, fields);
  };
  return namesOfLastResult;
}
