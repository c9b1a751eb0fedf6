// How an app is bundled. Our own packages go into each entry point. An npm package that the app's `bundle.json` lists
// under `bundled` becomes one file in `npm`, which all entry points share; all others stay outside, so that native and
// wasm parts keep their files. `bundle.json` also has `entryPoints` by the name of the built file, `copies` from folders
// of the repository to folders of the output, and `dynamicImport` where `import()` must remain.
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { writeBundledPackages } from './bundled-packages.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (folder, name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));

const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node22', logLevel: 'warning' };

/** Bundles the app in the folder `app` into `output`. */
export async function bundleApp(app, output) {
  const { metafile } = await build(createBundleOptions(app, output));
  for (const file of Object.keys(metafile.outputs).filter((each) => each.endsWith('.js'))) {
    loadOnFirstUse(path.resolve(app, file));
  }
  const inputs = await bundlePackages(app, output, metafile);
  copyFiles(app, output);
  writeBundledPackages(output, [...inputs, ...Object.keys(metafile.inputs).map((file) => path.resolve(app, file))]);
}

/** The options of esbuild for the entry points of the app in the folder `app`. */
export function createBundleOptions(app, output) {
  const { entryPoints, dynamicImport = false } = readJson(app, 'bundle.json');
  return {
    ...common,
    absWorkingDir: app,
    entryPoints,
    banner: { js: '#!/usr/bin/env node' },
    outdir: output,
    metafile: true,
    conditions: ['@weir/source'],
    sourcemap: 'linked',
    define: { WEIR_VERSION: JSON.stringify(readJson(root, 'package.json').version) },
    plugins: [keepNpmPackagesOutside(app), loadEntryPointsApart(app)],
    // As `require`, which starts faster than Node's loader of ES modules, but cannot load a module with top-level
    // await, such as node-llama-cpp.
    supported: { 'dynamic-import': dynamicImport },
  };
}

/**
 * Makes a built file load a package, or a module of Node, when it is first used: a command uses few of those that its
 * bundle imports. esbuild has no option for it. Lines and names stay as they are, so traces do.
 */
function loadOnFirstUse(file) {
  const code = readFileSync(file, 'utf8');
  const variables = new Set();
  const lazy = code.replace(
    /^(\s*(?:var )?)(import_\w+) = ((?:__toESM\()?require\("[^"]+"\)\)?);$/gm,
    (_line, start, variable, load) => {
      variables.add(variable);
      return `${start}${variable} = __onFirstUse(() => ${load});`;
    },
  );
  if (variables.size === 0) return;
  const used = lazy.replace(/\b(new )?(import_\w+)(?=\.)/g, (use, created, name) => {
    if (!variables.has(name)) return use;
    return created ? `new (${name}())` : `${name}()`;
  });
  // Declarations aside, every use must have been found: what is left would be given a function for a package.
  const uses = used.replace(/^\s*var [\w$, ]+;$/gm, '').match(/\bimport_\w+\b(?!\(\)| = __onFirstUse)/g) ?? [];
  const unknown = uses.filter((name) => variables.has(name));
  if (unknown.length > 0) throw new Error(`${file} uses ${unknown.join(', ')} in a way that is not known.`);
  const helper = 'var __onFirstUse = (load, loaded) => () => loaded ??= load();';
  writeFileSync(file, used.replace('"use strict";', `"use strict"; ${helper}`));
}

/**
 * Each npm package that the entry points require from `npm` becomes one file there: loading hundreds takes long. Returns
 * the files that went into them.
 */
export async function bundlePackages(app, output, { outputs }) {
  const required = Object.values(outputs).flatMap(({ imports }) => imports.map((each) => each.path));
  const specifiers = new Set(required.filter((file) => file.startsWith('./npm/')).map(toSpecifier));
  const { resolve } = createRequire(path.join(app, 'package.json'));
  const inputs = new Set();
  // Packages that they need of each other are found on the way.
  for (const specifier of specifiers) {
    const { metafile } = await build({
      ...common,
      absWorkingDir: app,
      entryPoints: { [toFileName(specifier)]: resolve(specifier) },
      outdir: path.join(output, 'npm'),
      conditions: [],
      // V8 holds the text of what is loaded, twice its size with one character beyond Latin-1 in a comment. Traces keep
      // useful lines.
      ...{ minifyWhitespace: true, lineLimit: 120, charset: 'ascii', legalComments: 'none' },
      metafile: true,
      plugins: [shareBundledPackages(app, specifier), leaveOutLanguages],
    });
    for (const file of Object.keys(metafile.inputs)) inputs.add(path.resolve(app, file));
    for (const { imports } of Object.values(metafile.outputs)) {
      for (const each of imports.filter(({ path: file }) => /^\.\/.*\.js$/.test(file)))
        specifiers.add(toSpecifier(each.path));
    }
  }
  return inputs;
}

const toFileName = (specifier) => specifier.replaceAll('/', '+');
const toSpecifier = (file) => path.basename(file, '.js').replaceAll('+', '/');

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

/** Whether the app would load the same version of a package as a file in `folder`. */
function isSeenByApp(app, folder, name) {
  const seen = findPackage(app, name);
  const needed = findPackage(folder, name);
  if (seen === undefined || needed === undefined) return seen === needed;
  return seen === needed || readJson(seen, 'package.json').version === readJson(needed, 'package.json').version;
}

const packageName = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

// After bundling, every npm package is looked up from the app. One that npm has installed in a single package of ours,
// for its version, would not be found there, or silently be another version: it goes into the bundle.
const keepNpmPackagesOutside = (app) => ({
  name: 'keep-npm-packages-outside',
  setup({ onResolve }) {
    const { bundled = [] } = readJson(app, 'bundle.json');
    onResolve({ filter: /^[^./]/ }, ({ path: specifier, resolveDir, kind }) => {
      if (kind === 'entry-point' || specifier.startsWith('@weir/')) return undefined;
      if (isBuiltin(specifier)) return { path: specifier, external: true };
      const name = packageName(specifier);
      if (!isSeenByApp(app, resolveDir, name)) return undefined;
      return { path: bundled.includes(name) ? `./npm/${toFileName(specifier)}.js` : specifier, external: true };
    });
  },
});

// A package that is bundled by itself must not be bundled a second time into one that needs it: it may have state. And
// npm installs the same version in several places where the root has another one.
const shareBundledPackages = (app, current) => ({
  name: 'share-bundled-packages',
  setup({ onResolve, resolve }) {
    const { bundled = [] } = readJson(app, 'bundle.json');
    const places = new Map();
    onResolve({ filter: /^[^./]/ }, ({ path: specifier, resolveDir, kind, pluginData }) => {
      if (pluginData === 'shared' || kind === 'entry-point' || isBuiltin(specifier)) return undefined;
      const name = packageName(specifier);
      if (bundled.includes(name) && name !== packageName(current) && isSeenByApp(app, resolveDir, name)) {
        return { path: `./${toFileName(specifier)}.js`, external: true };
      }
      const folder = findPackage(resolveDir, name);
      if (folder === undefined) return undefined;
      const key = `${name}@${readJson(folder, 'package.json').version}`;
      if (!places.has(key)) places.set(key, path.dirname(folder));
      return resolve(specifier, { kind, resolveDir: places.get(key), pluginData: 'shared' });
    });
  },
});

// Half of zod is its messages in fifty languages, and every command loads it. Ours are in English.
const leaveOutLanguages = {
  name: 'leave-out-languages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.cjs$/ }, () => ({
      contents: 'exports.en = require("./en.cjs").default;',
    }));
  },
};

// `import()` of an entry point loads its built file when it is needed, and `import` of one that `bundle.json` lists under
// `shared` when it is first used, once for all. Everything else goes into the bundle.
const loadEntryPointsApart = (app) => ({
  name: 'load-entry-points-apart',
  setup({ onResolve }) {
    const { entryPoints, shared: sharedNames = [] } = readJson(app, 'bundle.json');
    const shared = sharedNames.map((name) => `./${name}.js`);
    const builtFiles = new Map(
      Object.entries(entryPoints).map(([name, file]) => [path.join(app, file), `./${name}.js`]),
    );
    onResolve({ filter: /^\.{1,2}\// }, ({ path: specifier, resolveDir, kind }) => {
      const builtFile = builtFiles.get(path.join(resolveDir, specifier.replace(/(\.js)?$/, '.ts')));
      const isApart = kind === 'dynamic-import' || (kind === 'import-statement' && shared.includes(builtFile));
      return isApart && builtFile !== undefined ? { path: builtFile, external: true } : undefined;
    });
  },
});
