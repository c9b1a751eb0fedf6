import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const tracked = execFileSync('git', ['ls-files', '*package.json', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');
const enginesIn = (file: string): string | undefined =>
  (JSON.parse(read(file)) as { readonly engines?: { readonly node?: string } }).engines?.node;

const engines = enginesIn('package.json') ?? '';
const oldest = engines.replace('>=', '');

it('is a minor version, as the launchers and the set-up read it', () => {
  expect(engines).toMatch(/^>=\d+\.\d+$/);
});

it('is the same in each package.json that names one', () => {
  const named = tracked.filter((file) => path.basename(file) === 'package.json' && enginesIn(file) !== undefined);

  expect(Object.fromEntries(named.map((file) => [file, enginesIn(file)]))).toEqual(
    Object.fromEntries(named.map((file) => [file, engines])),
  );
  expect(named).toEqual(expect.arrayContaining(['apps/rollout-proxy/package.json', 'apps/workflow-api/package.json']));
});

it('is the same in each document that names it', () => {
  const versions = tracked
    .filter((file) => file.endsWith('.md') && !file.startsWith('examples/'))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => line.includes('Node'))
        .flatMap((line) => line.match(/\b22\.\d+\b/g) ?? [])
        .map((version) => ({ file, version })),
    )
    // Decisions also name the versions that brought a feature.
    .filter(({ file }) => !file.startsWith('docs/adr/'));

  expect(versions.length).toBeGreaterThan(3);
  expect(versions.filter(({ version }) => version !== oldest)).toEqual([]);
});
