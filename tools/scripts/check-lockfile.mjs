// A registry that lacks a platform's optional package lets `npm install` pass and every later `npm ci` fail. This detects
// such a lockfile, and one that contains the URL of a private registry.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
const present = new Set(Object.keys(packages).map((place) => place.split('node_modules/').at(-1)));

const problems = [];
for (const [place, { version, optionalDependencies = {}, resolved, link }] of Object.entries(packages)) {
  for (const name of Object.keys(optionalDependencies)) {
    if (!present.has(name)) problems.push(`${place} ${version} names ${name}, which the registry did not have`);
  }
  if (resolved && !link)
    problems.push(`${place} carries a download address; lock with omit-lockfile-registry-resolved`);
}

for (const problem of problems) console.error(`package-lock.json: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
