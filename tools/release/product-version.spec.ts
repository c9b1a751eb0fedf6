import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { readRepeatedVersions, readVersion, writeVersion } from './product-version';

const root = path.resolve(__dirname, '../..');
const manifests = execFileSync(
  'git',
  ['ls-files', 'apps/*/package.json', 'packages/*/package.json', 'tools/package.json'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((file) => file.split('/').length <= 3 && file !== 'packages/auth-action/package.json');

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
const read = (file: string): Manifest => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Manifest;

describe('the version of the products', () => {
  const version = readVersion(root);

  it('is the same in each workspace, and in what workspaces require of each other', () => {
    const found = manifests.flatMap((file) => {
      const { version: own, dependencies, devDependencies } = read(file);
      const required = Object.entries({ ...dependencies, ...devDependencies })
        .filter(([name]) => name.startsWith('@weir/') && name !== '@weir/auth-action')
        .map(([name, each]) => [`${file}: ${name}`, each] as const);
      return [[file, own] as const, ...required];
    });

    expect(manifests).toContain('packages/foundation/package.json');
    expect(found.filter(([, each]) => each !== version)).toEqual([]);
  });

  it('is the same in the chart and in the package for Python', () => {
    expect(readRepeatedVersions(root)).toEqual({
      'deploy/helm/weir/Chart.yaml': [version, version],
      'python/weir-rollout/pyproject.toml': [version],
    });
  });

  it('is written everywhere at once', async () => {
    const copy = temporaryFolder();
    for (const file of ['package.json', ...Object.keys(readRepeatedVersions(root))]) {
      cpSync(path.join(root, file), copy.file(file));
    }
    writeVersion(copy.path, '7.8.9');

    expect(readVersion(copy.path)).toBe('7.8.9');
    expect(new Set(Object.values(readRepeatedVersions(copy.path)).flat())).toEqual(new Set(['7.8.9']));
    await copy.remove();
  });
});
