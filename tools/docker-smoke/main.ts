// `node tools/setup/tsx.mjs tools/docker-smoke/main.ts [--require]`: builds both images and runs them for real.
// What cannot be proved here is reported as skipped, with its reason; with --require that is a failure.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { missingForCompose, proveCompose } from './compose';
import { findEngine, NoEngine, type Engine } from './engine';
import { prepareOfflineBuild, type BuildArguments } from './offline-build';
import { promises, smoke } from './smoke';

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

let passed = 0;
const report = (line: string): void => {
  if (line.startsWith('ok ')) passed += 1;
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

interface Build {
  readonly app: keyof BuildArguments;
  readonly image: string;
  readonly context: string;
  readonly buildArguments: readonly string[];
}

async function buildImage(engine: Engine, { app, image, context, buildArguments }: Build): Promise<void> {
  const since = Date.now();
  const { code } = await engine.docker(
    ['build', '--file', path.join(context, 'apps', app, 'Dockerfile'), '--tag', image, ...buildArguments, context],
    { timeoutMs: 1_200_000, isShown: true },
  );
  if (code !== 0) throw new Error(`docker build ended with ${code}`);
  report(`ok  the image of ${app} is built (${Math.round((Date.now() - since) / 1000)} s)`);
}

async function main(): Promise<void> {
  const engine = await findEngine();
  report(`using ${engine.description}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-image-'));
  const base = `weir-smoke-base:${process.pid}`;
  const images: string[] = [];
  try {
    const context = copyContext(folder);
    const offline = engine.isOnline ? undefined : await prepareOfflineBuild(engine, context, base);
    for (const app of ['workflow-api', 'rollout-proxy'] as const) {
      const image = `weir-smoke-${app}:${process.pid}`;
      images.push(image);
      await buildImage(engine, { app, image, context, buildArguments: offline?.[app] ?? [] });
      await smoke(promises[app], { engine, image, report });
    }
    const missing = missingForCompose(engine);
    if (missing !== undefined) throw new NoEngine(`compose.yaml was not started: ${missing}`);
    await proveCompose({ engine, image: images[0] ?? '', folder, report });
    report(`${passed} passed, 0 failed, 0 skipped`);
  } finally {
    await engine.docker(['image', 'rm', '--force', ...images, base, `${base}-slim`, `${base}-cc`]);
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  if (error instanceof NoEngine && !process.argv.includes('--require')) {
    report(`skipped: ${error.message}\n${passed} passed, 0 failed, 1 skipped`);
    return;
  }
  console.error(error instanceof NoEngine ? error.message : error);
  process.exitCode = 1;
});
