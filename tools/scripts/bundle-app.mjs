// Bundles the app in the current folder: our own packages go in, npm packages stay outside, so that native and wasm
// parts keep their files. What goes in and what lies beside it is in the app's own `bundle.json`: `entryPoints` by the
// name of the built file, `copies` from folders of the repository to places in the output.
import { build } from 'esbuild';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const app = process.cwd();
const manifest = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8'));
const bundle = JSON.parse(readFileSync(path.join(app, 'bundle.json'), 'utf8'));
const output = path.join(app, 'dist');

/** The folder that Node would load a package from, seen from a file in `folder`. */
function findPackage(folder, name) {
  for (let place = folder; ; place = path.dirname(place)) {
    const candidate = path.join(place, 'node_modules', name);
    if (existsSync(path.join(candidate, 'package.json'))) return candidate;
    if (place === path.dirname(place)) return undefined;
  }
}

const packageName = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

// After bundling, every npm package is looked up from the app. One that npm has put beside a single package of ours, for
// its version, would not be found there, or silently be another version: it goes into the bundle.
const npmPackagesStayOutside = {
  name: 'npm-packages-stay-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path: specifier, resolveDir, kind }) => {
      if (kind === 'entry-point' || specifier.startsWith('@weir/')) return undefined;
      const name = packageName(specifier);
      const isSeenByApp = isBuiltin(specifier) || findPackage(resolveDir, name) === findPackage(app, name);
      return isSeenByApp ? { path: specifier, external: true } : undefined;
    });
  },
};

rmSync(output, { recursive: true, force: true });
await build({
  absWorkingDir: app,
  entryPoints: bundle.entryPoints,
  banner: { js: '#!/usr/bin/env node' },
  outdir: output,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  conditions: ['@weir/source'],
  sourcemap: 'linked',
  define: { WEIR_VERSION: JSON.stringify(manifest.version) },
  plugins: [npmPackagesStayOutside],
  logLevel: 'warning',
});

for (const [from, to] of Object.entries(bundle.copies ?? {})) {
  cpSync(path.join(root, from), path.join(output, to), { recursive: true });
}
chmodSync(path.join(output, 'main.js'), 0o755);
