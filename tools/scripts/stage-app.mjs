// The folder that an image has of a built app: `stage-app.mjs <app> <folder>` writes the program and the files of npm
// packages that it loads into that folder, of packages with a part for each platform those of this one.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { copyProgram, copySmaller } from './copy-smaller.mjs';
import { traceModules } from './trace-modules.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [app, target] = process.argv.slice(2);
if (!app || !target) throw new Error('usage: stage-app.mjs <app folder> <target folder>');

const appFolder = path.resolve(app);
const thisLibc = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
// llama.cpp, for machines with a compiler.
const sources = new Set(['gitRelease.bundle']);
const { files, installed, optional } = await traceModules(appFolder);
mkdirSync(target, { recursive: true });
copyProgram(appFolder, path.join(target, 'dist'));
cpSync(path.join(appFolder, 'package.json'), path.join(target, 'package.json'));
for (const name of ['LICENSE', 'NOTICE']) cpSync(path.join(root, name), path.join(target, name));
for (const [source, place] of files) if (isOfThisPlatform(place)) copySmaller(source, path.join(target, place));
const copied = new Set();
for (const name of Object.keys({ ...installed, ...optional })) copyInstalled(name, appFolder);

/** Packages name their built files by platform, such as `linuxmusl-arm64.node` and `tokenizers.linux-x64-gnu.node`. */
function isOfThisPlatform(file) {
  const [, system, musl, arch, abi] =
    /\b(android|darwin|freebsd|linux|win32)(musl)?-([a-z0-9]+)(?:-(\w+))?\.node$/.exec(file) ?? [];
  return (
    system === undefined || isHere({ os: [system], cpu: [arch], libc: [(musl ?? abi === 'musl') ? 'musl' : 'glibc'] })
  );
}

/** By the fields of a manifest for npm, which are absent where there is no limit. */
function isHere({ os = [process.platform], cpu = [process.arch], libc = [thisLibc] }) {
  return (
    os.includes(process.platform) &&
    cpu.includes(process.arch) &&
    (process.platform !== 'linux' || libc.includes(thisLibc))
  );
}

/** Those of node-llama-cpp can be installed on any processor, to be packed on one for another. */
function isOfOtherProcessor(name) {
  const [, arch] = /^@node-llama-cpp\/[a-z]+-([a-z0-9]+)/.exec(name) ?? [];
  return arch !== undefined && arch.replace('v7l', '') !== process.arch;
}

/** With what it depends on, each where npm has installed it. */
function copyInstalled(name, folder) {
  const found = findPackage(name, folder);
  if (found === undefined || copied.has(found)) return;
  copied.add(found);
  const place = path.join(target, found.slice(found.indexOf(`${path.sep}node_modules${path.sep}`)));
  const manifest = JSON.parse(readFileSync(path.join(found, 'package.json'), 'utf8'));
  if (!isHere(manifest) || isOfOtherProcessor(name)) return;
  const isUsed = (source) =>
    !path.relative(found, source).split(path.sep).includes('node_modules') &&
    isOfThisPlatform(source) &&
    !sources.has(path.basename(source));
  cpSync(found, place, { recursive: true, filter: isUsed });
  const { dependencies, optionalDependencies } = manifest;
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) copyInstalled(each, found);
}

/** As Node looks it up, never above the checkout. */
function findPackage(name, folder) {
  for (let place = folder; ; place = path.dirname(place)) {
    const candidate = path.join(place, 'node_modules', name);
    if (existsSync(path.join(candidate, 'package.json'))) return candidate;
    if (place === root) return undefined;
  }
}
