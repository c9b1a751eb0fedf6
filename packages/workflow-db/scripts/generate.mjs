// Writes the two Prisma clients to src/generated, or does nothing when neither the models nor the generator changed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const folder = path.resolve(import.meta.dirname, '..');
const generated = path.join(folder, 'src/generated');
const stampFile = path.join(generated, '.stamp');
const prisma = path.join(path.dirname(require.resolve('prisma/package.json')), 'build/index.js');

// Only the scheme is read, because generating needs no database.
const urls = { sqlite: 'file:unused.db', postgresql: 'postgresql://127.0.0.1/unused' };

function fingerprint() {
  const hash = createHash('sha256');
  const files = globSync(['prisma/models/*.prisma', 'prisma/prisma.config.ts', 'scripts/generate.mjs'], {
    cwd: folder,
  });
  for (const file of files.sort()) hash.update(file).update(readFileSync(path.join(folder, file)));
  return hash.update(require('prisma/package.json').version).digest('hex');
}

function isCurrent(wanted) {
  const clients = Object.keys(urls).map((provider) => path.join(generated, provider, 'client.ts'));
  return clients.every(existsSync) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted;
}

async function generate(url) {
  const args = [prisma, 'generate', '--no-hints', '--config', path.join(folder, 'prisma/prisma.config.ts')];
  const env = { ...process.env, WEIR_DATABASE_URL: url };
  try {
    await promisify(execFile)(process.execPath, args, { cwd: folder, env, timeout: 120_000 });
  } catch (error) {
    console.error(error.stderr || error.message);
    process.exit(1);
  }
}

const wanted = fingerprint();
if (isCurrent(wanted)) {
  console.log('The Prisma clients are up to date.');
} else {
  // The stamp is removed first: an interrupted run must not leave a stamp that belongs to half a client.
  rmSync(stampFile, { force: true });
  await Promise.all(Object.values(urls).map(generate));
  writeFileSync(stampFile, wanted);
  console.log('Generated the Prisma clients for SQLite and PostgreSQL.');
}
