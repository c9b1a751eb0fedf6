// `npm run dev [-- <app>] [-- <arguments of the app>]`: bundles the app, runs it, and does both again after each change of
// a source. The data folder is the same as that of `npm start`.
import { execFileSync, spawn } from 'node:child_process';
import { globSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { context } from 'esbuild';
import { bundlePackages, copyFiles, createBundleOptions } from '../scripts/app-bundle.mjs';
import { createServerProcess } from './server-process.mjs';

const settleMs = 50;
const firstArguments = { 'workflow-api': ['start-all'], 'rollout-proxy': [] };

const words = process.argv.slice(2);
const app = words[0] in firstArguments ? words.shift() : 'workflow-api';
const root = path.resolve(import.meta.dirname, '../..');
const report = (text) => process.stderr.write(`dev: ${text}\n`);

execFileSync(process.execPath, ['packages/workflow-db/scripts/generate.mjs'], { cwd: root, stdio: ['ignore', 2, 2] });

const folder = path.join(root, 'apps', app);
// The output is not `dist`, which a test run may replace at the same time.
const output = path.join(folder, '.dev');
const bundle = createBundleOptions(folder, output);
const stopWithParent = path.join(output, 'stop-with-parent.js');
const builder = await context({
  ...bundle,
  entryPoints: {
    ...bundle.entryPoints,
    'stop-with-parent': path.join(root, 'apps/workflow-api/src/adapters/stop-with-parent.ts'),
  },
});
const server = createServerProcess({
  file: process.execPath,
  args: ['--require', stopWithParent, path.join(output, 'main.js'), ...firstArguments[app], ...words],
  // It is a separate process group: a Ctrl-C reaches the server once, from here.
  options: { stdio: ['ignore', 1, 2, 'ipc'], detached: process.platform !== 'win32' },
  report,
});

async function rebuild() {
  try {
    const { metafile } = await builder.rebuild();
    await bundlePackages(folder, output, metafile);
  } catch {
    // esbuild has printed what is wrong.
    return report('the last version keeps running');
  }
  watchFolders();
  copyFiles(folder, output);
  await server.restart();
}

// Each folder is watched separately: a recursive watch loses a file that an editor replaces instead of writing it.
const watchers = new Map();
let timer;

function watchFolders() {
  const sources = globSync([path.join(root, 'packages/*/src'), path.join(folder, 'src')]);
  for (const source of sources.flatMap((top) => [top, ...globSync(path.join(top, '**/'))])) {
    if (!watchers.has(source)) watchers.set(source, watch(source, onChange));
  }
}

function onChange(_event, name) {
  if (name === null || /\.(spec|contract-spec)\.ts$/.test(name)) return;
  clearTimeout(timer);
  timer = setTimeout(() => void rebuild(), settleMs);
}

/** The dev servers of user interfaces, when there are some: every package with a script named `dev`. */
const userInterfaces = globSync(path.join(root, '{apps,packages}/*/package.json'))
  .filter((manifest) => JSON.parse(readFileSync(manifest, 'utf8')).scripts?.dev)
  .map((manifest) => spawn('npm', ['run', 'dev'], { cwd: path.dirname(manifest), stdio: 'inherit' }));

await rebuild();
report('watching the sources');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    for (const watcher of watchers.values()) watcher.close();
    clearTimeout(timer);
    for (const userInterface of userInterfaces) userInterface.kill(signal);
    await Promise.all([builder.dispose(), server.stop()]);
    process.exit(0);
  });
}
