// Bundles the action in the current folder into `dist/main.js` and `dist/post.js`, which are committed: a runner
// fetches the repository and installs nothing. Parts that few jobs need are loaded at run time, from files
// of their own. `--check` compares them with what the sources give, byte for byte.
// `--measure` prints what the bytes are made of.
import { build } from 'esbuild';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');
const action = process.cwd();
const output = path.join(action, 'dist');
// The files of `dist` by name, each with its source.
const sources = {
  main: 'src/main.ts',
  post: 'src/post.ts',
  refresh: 'src/refresh.ts',
  // Loaded at run time by the others.
  aws: 'src/clouds/aws.ts',
  azure: 'src/clouds/azure.ts',
  'azure-tools': 'src/publish/azure/index.ts',
  causes: 'src/report/explain-cause.ts',
  check: 'src/check/run-check.ts',
  clouds: 'src/publish/clouds/index.ts',
  failure: 'src/report/failure.ts',
  gcloud: 'src/publish/gcloud/publish-configuration.ts',
  inputs: 'src/inputs/other-clouds.ts',
  packages: 'src/publish/packages/publish-packages.ts',
  registries: 'src/publish/publish-registries.ts',
  revoke: 'src/post/revoke-token.ts',
  tunnel: 'src/cloud/create-tunnel.ts',
  undo: 'src/post/undo-saved.ts',
};
const entryPoints = Object.fromEntries(
  Object.entries(sources).filter(([, source]) => existsSync(path.join(action, source))),
);
const entries = new Map(Object.entries(entryPoints).map(([name, source]) => [path.join(action, source), name]));
const manifest = readJson(path.join(action, 'package.json'));

// These are the toolkit's clients for OIDC and for starting programs, which include a whole HTTP stack. The action has
// its own transport and starts no programs, so a call of them fails at once.
const replaced = {
  '@actions/http-client': ['HttpClient'],
  '@actions/http-client/lib/auth': ['BearerCredentialHandler'],
  '@actions/exec': ['exec', 'getExecOutput'],
};

// The library that the proxy agents log with when the variable DEBUG says so: the proxy's password among it, where no
// mask was set. They get one that never speaks, and no reader of terminals with it.
const silentDebug = 'module.exports = () => Object.assign(() => undefined, { enabled: false });';
const proxyAgents = ['agent-base', 'https-proxy-agent'];

const unusedPartsAreReplaced = {
  name: 'unused-parts-are-replaced',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@actions\/(http-client|exec)(\/|$)|^undici(\/|$)/ }, ({ path: specifier, importer }) => {
      const isToolkit = findPackage(importer) === '@actions/core';
      if (isToolkit && specifier in replaced) return { path: specifier, namespace: 'replaced' };
      return { errors: [{ text: `The bundle of the action must not hold ${specifier}. See bundle-action.mjs.` }] };
    });
    onResolve({ filter: /^debug$/ }, ({ path: specifier, importer }) => {
      return proxyAgents.includes(findPackage(importer)) ? { path: specifier, namespace: 'silent' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'silent' }, () => ({ contents: silentDebug, loader: 'js' }));
    onLoad({ filter: /./, namespace: 'replaced' }, ({ path: specifier }) => ({
      contents: replaced[specifier].map((name) => standIn(specifier, name)).join('\n'),
      loader: 'js',
    }));
  },
};

/** The stand-in works for a function and a class. */
function standIn(specifier, name) {
  const text = `${name} of ${specifier} is not part of this bundle.`;
  return `export function ${name}() { throw new Error(${JSON.stringify(text)}); }`;
}

// In this repository no module acts at import, so a file none of whose exports is used can stay outside. The same holds
// for the toolkit, which does not declare it.
const unusedFilesStayOutside = {
  name: 'unused-files-stay-outside',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(\.|@weir\/|@actions\/core$)/ }, async ({ path: specifier, pluginData, ...request }) => {
      if (pluginData === 'resolved' || request.kind === 'entry-point') return undefined;
      const { importer, resolveDir, kind } = request;
      const found = await resolve(specifier, { importer, resolveDir, kind, pluginData: 'resolved' });
      const isOurs = !found.path.includes('node_modules') || findPackage(found.path) === '@actions/core';
      return isOurs && found.errors.length === 0 ? { ...found, sideEffects: false } : found;
    });
  },
};

// An entry that another one loads at run time remains a separate file in the same folder.
const entriesAreFiles = {
  name: 'entries-are-files',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.+\.js$/ }, ({ path: specifier, kind, resolveDir }) => {
      if (kind !== 'require-call') return undefined;
      const name = entries.get(path.resolve(resolveDir, specifier).replace(/\.js$/, '.ts'));
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

// Our sources import default exports of Node's modules and files that another entry gives, so require is all they need:
// the functions with which esbuild tells kinds of modules apart would be a tenth of post.
const ownSourcesRequire = {
  name: 'own-sources-require',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (file.includes('node_modules')) return undefined;
      const contents = readFileSync(file, 'utf8')
        .replaceAll(/^import (\w+) from '(node:[\w/]+)';$/gm, "import $1 = require('$2');")
        .replaceAll(/(?<!typeof )\bimport\(('[^']+')\)/g, 'Promise.resolve().then(() => require($1))');
      return { contents, loader: 'ts' };
    });
  },
};

// node:crypto is a quarter of the start of Node's modules that a job loads, and inputs are refused without it.
const cryptoFunctions = ['createHash', 'createHmac', 'createPrivateKey', 'randomBytes', 'randomUUID', 'sign'];
const cryptoIsLoadedWhenUsed = {
  name: 'crypto-is-loaded-when-used',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?crypto$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'crypto', namespace: 'when-used', sideEffects: false } : undefined,
    );
    onLoad({ filter: /./, namespace: 'when-used' }, () => ({
      contents: cryptoFunctions
        .map((name) => `export const ${name} = (...given) => require('node:crypto').${name}(...given);`)
        .join('\n'),
      loader: 'js',
    }));
  },
};

async function bundle() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: action,
    entryPoints,
    outdir: output,
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    charset: 'ascii',
    conditions: ['@weir/source'],
    legalComments: 'none',
    banner: { js: `/*! ${manifest.name} ${manifest.version}, ${manifest.license}; licences.txt beside this file */` },
    define: { WEIR_VERSION: JSON.stringify(manifest.version), WEIR_INPUT_DEFAULTS: JSON.stringify(inputDefaults()) },
    plugins: [
      ownSourcesRequire,
      cryptoIsLoadedWhenUsed,
      entriesAreFiles,
      unusedPartsAreReplaced,
      unusedFilesStayOutside,
    ],
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path: file, contents }) => [path.basename(file), Buffer.from(contents)]));
  files.set('licences.txt', Buffer.from(licences(metafile)));
  return { files, metafile };
}

/** The defaults in action.yml, which the runner gives only to inputs that a workflow does not name. */
function inputDefaults() {
  const { inputs = {} } = parse(readFileSync(path.join(action, 'action.yml'), 'utf8'));
  return Object.fromEntries(Object.entries(inputs).map(([name, field]) => [name, field.default ?? '']));
}

/** Collects the licences of every npm package that has a byte in the bundles. */
function licences({ outputs }) {
  const inputs = Object.values(outputs).flatMap((built) =>
    Object.entries(built.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const folders = new Set(inputs.filter((file) => file.includes('node_modules/')).map(packageFolder));
  const texts = [...folders].map((folder) => {
    const { name, version, license } = readJson(path.join(folder, 'package.json'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} ${version} has no licence file, and its code is in the bundle.`);
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8').trim();
  return [`${manifest.name} (${manifest.license})\n\n${own}\n`, ...texts.sort()].join(`\n${'-'.repeat(80)}\n\n`);
}

function packageFolder(file) {
  const absolute = path.resolve(action, file);
  const [before, after] = splitAtLast(absolute, `${path.sep}node_modules${path.sep}`);
  return path.join(before, 'node_modules', nameIn(after));
}

function findPackage(file) {
  return nameIn(splitAtLast(file, `${path.sep}node_modules${path.sep}`)[1]);
}

function nameIn(place) {
  return place
    .split(path.sep)
    .slice(0, place.startsWith('@') ? 2 : 1)
    .join('/');
}

function splitAtLast(text, mark) {
  const at = text.lastIndexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function write(files) {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  for (const [name, bytes] of files) writeFileSync(path.join(output, name), bytes);
  for (const [name, bytes] of files) console.log(`dist/${name}: ${(bytes.length / 1024).toFixed(1)} KiB`);
}

function check(files) {
  const committed = existsSync(output) ? readdirSync(output) : [];
  const problems = [
    ...[...files].flatMap(([name, bytes]) => {
      if (!committed.includes(name)) return [`dist/${name} is missing.`];
      return readFileSync(path.join(output, name)).equals(bytes) ? [] : [`dist/${name} is not what the sources give.`];
    }),
    ...committed.filter((name) => !files.has(name)).map((name) => `dist/${name} is nothing that the sources give.`),
  ];
  for (const problem of problems) console.error(`- ${problem}`);
  if (problems.length > 0) {
    console.error('Users run what is committed. Run `node tools/setup/nx.mjs run auth-action:build`, commit dist/.');
    process.exitCode = 1;
    return;
  }
  console.log(`The committed bundle is the one that the sources give (${[...files.keys()].join(', ')}).`);
}

function measure({ outputs }) {
  for (const [file, { bytes, inputs }] of Object.entries(outputs)) {
    console.log(`${file}: ${bytes} bytes`);
    const parts = Object.entries(inputs).sort(([, left], [, right]) => right.bytesInOutput - left.bytesInOutput);
    for (const [name, { bytesInOutput }] of parts) console.log(`${String(bytesInOutput).padStart(9)}  ${name}`);
  }
}

const { files, metafile } = await bundle();
if (process.argv.includes('--measure')) measure(metafile);
else if (process.argv.includes('--check')) check(files);
else write(files);
