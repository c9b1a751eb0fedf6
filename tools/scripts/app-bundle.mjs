// How an app is bundled: our own packages go in, npm packages stay outside, so that native and wasm parts keep their
// files. What is bundled and what is copied next to it is in the app's own `bundle.json`: `entryPoints` by the name of
// the built file, `copies` from folders of the repository to folders of the output, `dynamicImport` where `import()`
// must remain.
import { chmodSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (folder, name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));

/** The options of esbuild for the app in the folder `app`. */
export function createBundleOptions(app, output) {
  const { entryPoints, dynamicImport = false } = readJson(app, 'bundle.json');
  return {
    absWorkingDir: app,
    entryPoints,
    banner: { js: '#!/usr/bin/env node' },
    outdir: output,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    conditions: ['@weir/source'],
    sourcemap: 'linked',
    define: { WEIR_VERSION: JSON.stringify(readJson(app, 'package.json').version) },
    plugins: [keepNpmPackagesOutside(app), loadEntryPointsApart(app)],
    // As `require`, which starts faster than Node's loader of ES modules, but cannot load a module with top-level
    // await, such as node-llama-cpp.
    supported: { 'dynamic-import': dynamicImport },
    logLevel: 'warning',
  };
}

/** The files that are copied next to the bundle. */
export function copyFiles(app, output) {
  for (const [from, to] of Object.entries(readJson(app, 'bundle.json').copies)) {
    cpSync(path.join(root, from), path.join(output, to), { recursive: true });
  }
  chmodSync(path.join(output, 'main.js'), 0o755);
}

/** The folder that Node would load a package from, seen from a file in `folder`. */
function findPackage(folder, name) {
  for (let current = folder; ; current = path.dirname(current)) {
    const candidate = path.join(current, 'node_modules', name);
    if (existsSync(path.join(candidate, 'package.json'))) return candidate;
    if (current === path.dirname(current)) return undefined;
  }
}

const packageName = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

// After bundling, every npm package is looked up from the app. One that npm has installed in a single package of ours,
// for its version, would not be found there, or silently be another version: it goes into the bundle.
const keepNpmPackagesOutside = (app) => ({
  name: 'keep-npm-packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path: specifier, resolveDir, kind }) => {
      if (kind === 'entry-point' || specifier.startsWith('@weir/')) return undefined;
      const name = packageName(specifier);
      const isSeenByApp = isBuiltin(specifier) || findPackage(resolveDir, name) === findPackage(app, name);
      return isSeenByApp ? { path: specifier, external: true } : undefined;
    });
  },
});

// `import()` of an entry point loads its built file when it is needed. Everything else goes into the bundle.
const loadEntryPointsApart = (app) => ({
  name: 'load-entry-points-apart',
  setup({ onResolve }) {
    const { entryPoints } = readJson(app, 'bundle.json');
    const builtFiles = new Map(
      Object.entries(entryPoints).map(([name, file]) => [path.join(app, file), `./${name}.js`]),
    );
    onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path: specifier, resolveDir, kind }) => {
      const builtFile = builtFiles.get(path.join(resolveDir, specifier.replace(/\.js$/, '.ts')));
      return kind === 'dynamic-import' && builtFile !== undefined ? { path: builtFile, external: true } : undefined;
    });
  },
});
