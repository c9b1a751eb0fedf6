/* oxlint-disable no-restricted-properties -- The Prisma CLI hands its settings over in the environment only. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'prisma/config';

const folder = __dirname;
const databaseUrl = process.env.WEIR_DATABASE_URL ?? `file:${path.join(folder, '.composed/development.db')}`;
const provider = /^postgres(ql)?:/.test(databaseUrl) ? 'postgresql' : 'sqlite';

// Prisma looks for its native schema engine before every command, `generate` included, and would download it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve(folder, '../../../tools/scripts/schema-engine.mjs');
process.env.CHECKPOINT_DISABLE ??= '1';

// oxlint-disable-next-line no-restricted-exports -- Prisma reads the default export.
export default defineConfig({
  schema: composeSchema(),
  migrations: { path: path.join(folder, 'migrations', provider) },
  datasource: { url: databaseUrl },
  // The tables of the full-text index of SQLite, which models cannot describe.
  experimental: { externalTables: true },
  tables: {
    external: provider === 'sqlite' ? ['', '_config', '_data', '_idx'].map((end) => `run_text_words${end}`) : [],
  },
});

/** Joins the header of the chosen provider and the model files into one file, and returns its path. */
function composeSchema(): string {
  const models = readdirSync(path.join(folder, 'models'))
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => readFileSync(path.join(folder, 'models', name), 'utf8'));
  const target = path.join(folder, '.composed', provider);
  mkdirSync(target, { recursive: true });
  const file = path.join(target, 'schema.prisma');
  writeFileSync(file, [header(), ...models].join('\n'));
  return file;
}

function header(): string {
  return `generator client {
  provider            = "prisma-client"
  output              = "../../../src/generated/${provider}"
  moduleFormat        = "cjs"
  importFileExtension = ""
  compilerBuild       = "small"
}

datasource db {
  provider = "${provider}"
}
`;
}
