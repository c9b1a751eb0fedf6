import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The one place that says the version of the products; builds read it there. Nx keeps the workspaces in step. */
const versionFile = 'package.json';

/** Files that repeat it in formats of their own, with how a version is written there. */
const others: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['deploy/helm/weir/Chart.yaml', /^(version|appVersion): (\S+)$/gm],
  ['python/weir-rollout/pyproject.toml', /^(version) = "([^"]+)"$/gm],
];

export function readVersion(root: string): string {
  return (JSON.parse(readFileSync(path.join(root, versionFile), 'utf8')) as { readonly version: string }).version;
}

/** The versions that the other files repeat. */
export function readRepeatedVersions(root: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    others.map(([file, pattern]) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [file, [...text.matchAll(pattern)].map(([, , version = '']) => version)];
    }),
  );
}

/** Writes the version in every place. */
export function writeVersion(root: string, version: string): void {
  const replaced = (file: string, replace: (text: string) => string): void => {
    const place = path.join(root, file);
    writeFileSync(place, replace(readFileSync(place, 'utf8')));
  };
  replaced(versionFile, (text) => text.replace(/^( {2}"version": ")[^"]+/m, `$1${version}`));
  for (const [file, pattern] of others) {
    replaced(file, (text) => text.replaceAll(pattern, (line, _name, old: string) => line.replace(old, version)));
  }
}
