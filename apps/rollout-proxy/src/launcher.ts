// The entry file. It checks the version of Node before the program is loaded.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const oldest = readOldestNode();

/** The `22.16` of `>=22.16` in `engines` of the package. */
function readOldestNode(): string {
  const manifest = readFileSync(path.join(__dirname, '../package.json'), 'utf8');
  const { engines } = JSON.parse(manifest) as { readonly engines: { readonly node: string } };
  return engines.node.replace('>=', '');
}

function isNewEnough(): boolean {
  return process.versions.node.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}

if (isNewEnough()) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load the program before the check
  require(path.join(__dirname, 'program.js'));
} else {
  process.stderr.write(
    `weir-rollout: Node ${process.versions.node} is too old: ${oldest} or newer is required. "npm start" in the root of the repository installs one.\n`,
  );
  process.exit(1);
}
