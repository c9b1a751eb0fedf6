// Keeps the TypeScript project references equal to the workspace dependencies in the package.json files.
// `node tools/scripts/references.mjs` writes them, with `--check` it only compares and exits 1 on a difference.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const projects = new Map(
  globSync('{packages,apps}/*/package.json', { cwd: root })
    .sort()
    .map((file) => {
      const directory = path.dirname(path.join(root, file));
      const manifest = readJson(path.join(directory, 'package.json'));
      return [manifest.name, { directory, manifest }];
    }),
);

const sourceConfig = (directory) =>
  existsSync(path.join(directory, 'tsconfig.app.json')) ? 'tsconfig.app.json' : 'tsconfig.lib.json';

function referencesTo(from, names) {
  return names
    .filter((name) => projects.has(name))
    .sort()
    .map((name) => {
      const { directory } = projects.get(name);
      return { path: path.posix.join(path.relative(from, directory), sourceConfig(directory)) };
    });
}

/** Helpers that a package exports for specs are compiled with its own specs. */
function referencesToTesting(from, names) {
  return names
    .filter((name) => projects.get(name)?.manifest.exports?.['./testing'] !== undefined)
    .sort()
    .map((name) => ({
      path: path.posix.join(path.relative(from, projects.get(name).directory), 'tsconfig.spec.json'),
    }));
}

/** The files that differ from what the package.json files ask for, with the text they should have. */
export function outdatedReferences() {
  const outdated = [];
  for (const { directory, manifest } of projects.values()) {
    const own = sourceConfig(directory);
    const production = Object.keys(manifest.dependencies ?? {});
    const development = Object.keys(manifest.devDependencies ?? {});
    const all = [...production, ...development];
    const wanted = {
      [own]: referencesTo(directory, production),
      'tsconfig.spec.json': [
        { path: `./${own}` },
        ...referencesTo(directory, all),
        ...referencesToTesting(directory, all),
      ],
    };
    for (const [name, references] of Object.entries(wanted)) {
      const file = path.join(directory, name);
      const config = readJson(file);
      if (JSON.stringify(config.references ?? []) === JSON.stringify(references)) continue;
      outdated.push({ file, text: `${JSON.stringify({ ...config, references }, null, 2)}\n` });
    }
  }
  return outdated;
}

if (process.argv[1] === import.meta.filename) {
  const outdated = outdatedReferences();
  if (process.argv.includes('--check')) {
    for (const { file } of outdated) console.error(`${path.relative(root, file)}: references differ from package.json`);
    process.exit(outdated.length > 0 ? 1 : 0);
  }
  for (const { file, text } of outdated) writeFileSync(file, text);
}
