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

/** Prisma has no option for it: the compiler of queries is loaded when it is needed, and its plans are kept. */
function keepQueryPlans(provider) {
  const file = path.join(generated, provider, 'internal/class.ts');
  const text = readFileSync(file, 'utf8');
  const compiler = `@prisma/client/runtime/query_compiler_small_bg.${provider}`;
  const replaced = text.replace(
    /^config\.compilerWasm = \{.*?^\}$/ms,
    `config.compilerWasm = withKeptQueryPlans({
  loadModule: () => require("${compiler}.js"),
  loadProgram: () => require("${compiler}.wasm-base64.js").wasm,
  importName: "./query_compiler_small_bg.js",
  clientVersion: config.clientVersion,
})`,
  );
  if (replaced === text || !text.includes(`${compiler}.js`)) throw new Error('Prisma generates another client.');
  const imports = "import { withKeptQueryPlans } from '../../../kept-query-plans'\n";
  writeFileSync(file, replaced.replace(/^import /m, `${imports}import `));
}

const wanted = fingerprint();
if (isCurrent(wanted)) {
  console.log('The Prisma clients are up to date.');
} else {
  // The stamp is removed first: an interrupted run must not leave a stamp that belongs to half a client.
  rmSync(stampFile, { force: true });
  await Promise.all(Object.values(urls).map(generate));
  Object.keys(urls).forEach(keepQueryPlans);
  writeFileSync(stampFile, wanted);
  console.log('Generated the Prisma clients for SQLite and PostgreSQL.');
}
