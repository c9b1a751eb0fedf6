// `node tools/setup/tsx.mjs tools/docker-smoke/main.ts [--require]`: builds the image and runs it for real.
// Without an engine it says so and passes; with --require that is a failure.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findEngine, NoEngine, type Engine } from './engine';
import { prepareOfflineBuild } from './offline-build';
import { smoke } from './smoke';

const root = path.resolve(__dirname, '../..');
const parts = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'LICENSE',
  'NOTICE',
  'apps',
  'packages',
  'tools',
];
const skipped = new Set(['node_modules', 'dist', 'out-tsc', 'generated', '.composed']);

const report = (line: string): void => {
  console.log(line);
};

function copyContext(folder: string): string {
  const context = path.join(folder, 'context');
  for (const part of parts) {
    cpSync(path.join(root, part), path.join(context, part), {
      recursive: true,
      filter: (source) => !skipped.has(path.basename(source)),
    });
  }
  return context;
}

async function buildImage(engine: Engine, context: string, image: string, base: string): Promise<void> {
  const buildArguments = engine.isOnline ? [] : await prepareOfflineBuild(engine, context, base);
  const since = Date.now();
  const { code } = await engine.docker(
    ['build', '--file', path.join(context, 'apps/workflow-api/Dockerfile'), '--tag', image, ...buildArguments, context],
    { timeoutMs: 1_200_000, isShown: true },
  );
  if (code !== 0) throw new Error(`docker build ended with ${code}`);
  report(`ok  the image is built (${Math.round((Date.now() - since) / 1000)} s)`);
}

async function main(): Promise<void> {
  const engine = await findEngine();
  report(`using ${engine.description}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-image-'));
  const image = `weir-smoke:${process.pid}`;
  const base = `weir-smoke-base:${process.pid}`;
  try {
    await buildImage(engine, copyContext(folder), image, base);
    await smoke({ engine, image, report });
    report('docker smoke: passed');
  } finally {
    await engine.docker(['image', 'rm', '--force', image, base, `${base}-runtime`]);
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  if (error instanceof NoEngine && !process.argv.includes('--require')) {
    report(`docker smoke: SKIPPED, nothing was proved: ${error.message}`);
    return;
  }
  console.error(error instanceof NoEngine ? `docker smoke: ${error.message}` : error);
  process.exitCode = 1;
});
