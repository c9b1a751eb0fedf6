import { copyWorkspace, type CommandResult, type WorkspaceCopy } from './workspace-copy';

jest.setTimeout(1_800_000);

const tools = {
  nx: 'node_modules/nx/dist/bin/nx.js',
  tsc: 'node_modules/typescript-7/bin/tsc',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  jest: 'node_modules/jest/bin/jest.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
} as const;

const app = 'apps/workflow-api';
const description = 'Hands out tokens at an even "rate"';
const packageRun = (name: string, type: string) => ['package', { name, type, description: 'x' }] as const;

/** Runs after the package `token-bucket` was made by Nx itself. */
const runs = {
  existingPackage: packageRun('errors', 'foundation'),
  capitals: packageRun('Errors', 'foundation'),
  outside: packageRun('../outside', 'foundation'),
  unknownType: packageRun('leaky-bucket', 'helper'),
  feature: ['feature', { name: 'run-label' }],
  existingFeature: ['feature', { name: 'user' }],
  firstRecord: ['adr', { title: 'Tokens, and how they are counted!' }],
  secondRecord: ['adr', { title: 'Second thoughts' }],
} as const;

const created = [
  'packages/token-bucket',
  `${app}/src/features/run-labels`,
  'packages/workflow-contract/src/run-labels',
];
const edited = [
  `${app}/src/composition.ts`,
  `${app}/src/platform.ts`,
  `${app}/src/testing/workflow-api.ts`,
  'packages/workflow-contract/src/contract.ts',
  'packages/workflow-contract/src/index.ts',
  'packages/workflow-contract/src/openapi/document.ts',
  'packages/workflow-db/src/unique-constraints.ts',
];

/** The output is what a person needs to see when a step fails. */
async function succeed(step: Promise<CommandResult>): Promise<string> {
  const { code, output } = await step;
  if (code !== 0) throw new Error(`ended with ${String(code)}:\n${output}`);
  return output;
}

describe('the generators', () => {
  let workspace: WorkspaceCopy;
  let results: Readonly<Record<string, string>>;

  beforeAll(async () => {
    workspace = copyWorkspace();
    const options = ['--type=foundation', `--description=${description}`, '--skipInstall', '--no-interactive'];
    await succeed(workspace.run(tools.nx, ['generate', '@weir/tools:package', 'token-bucket', ...options]));
    workspace.link('token-bucket', 'packages/token-bucket');
    const script = 'tools/generators/__fixtures__/generate.cjs';
    const output = await succeed(workspace.run(script, ['.', JSON.stringify(Object.values(runs))]));
    const answers = JSON.parse(output.slice(output.lastIndexOf('\n['))) as readonly string[];
    results = Object.fromEntries(Object.keys(runs).map((name, index) => [name, answers[index] ?? 'not run']));
  });

  afterAll(() => {
    workspace.remove();
  });

  it('make a package with its description, tags and headings', () => {
    expect(JSON.parse(workspace.read('packages/token-bucket/package.json'))).toMatchObject({
      description: `${description}.`,
      nx: { tags: ['scope:shared', 'type:foundation'] },
    });
    const headings = workspace.read('packages/token-bucket/README.md').match(/^## .+$/gm);
    expect(headings).toEqual([
      '## What it is',
      '## Use',
      '## Configuration',
      '## How it is built inside',
      '## Commands',
    ]);
  });

  it.each([
    ['a package that exists', 'existingPackage', 'packages/errors exists already.'],
    ['a name with capitals', 'capitals', "'name'"],
    ['a name that leaves the folder', 'outside', "'name'"],
    ['an unknown type', 'unknownType', "'type'"],
    ['a feature that exists', 'existingFeature', 'apps/workflow-api/src/features/users exists already.'],
  ])('refuse %s', (_, run, reason) => {
    expect(results[run]).toContain(reason);
  });

  it('number decision records one after the other and list them', () => {
    expect(results).toMatchObject({ firstRecord: 'done', secondRecord: 'done' });
    const entries = workspace.read('docs/adr/README.md').trimEnd().split('\n').slice(-2);
    const [first, second] = entries.map((entry) => Number(/\[(\d{4}) /.exec(entry)?.[1]));
    expect(second).toBe((first ?? Number.NaN) + 1);
    expect(entries[0]).toMatch(
      /^- \[\d{4} Tokens, and how they are counted!\]\(\d{4}-tokens-and-how-they-are-counted\.md\)$/,
    );
    const file = /\((.+)\)$/.exec(entries[1] ?? '')?.[1] ?? '';
    expect(workspace.read(`docs/adr/${file}`)).toMatch(/^# Second thoughts\n\nStatus: proposed\n\n## Context\n/);
  });

  describe('what they make passes', () => {
    it('the format, and the references between projects', async () => {
      expect(results.feature).toBe('done');
      await succeed(workspace.run(tools.prettier, ['--check', 'docs/adr', ...created, ...edited]));
      await succeed(workspace.run('tools/scripts/references.mjs', ['--check']));
    });

    it('types and lint', async () => {
      await succeed(workspace.run(tools.tsc, ['-b', 'packages/token-bucket']));
      const output = await succeed(workspace.run(tools.oxlint, ['--type-check', ...created, ...edited]));
      expect(Number(/ on (\d+) files/.exec(output)?.[1])).toBeGreaterThan(edited.length + created.length);
    });

    it('the comparison of both databases', async () => {
      await succeed(workspace.run('tools/scripts/check-migrations.mjs', []));
    });

    it('its own specs, and those of the contract and the database', async () => {
      const specs = ['packages/token-bucket', 'run-labels', 'translate-prisma-error', 'workflow-contract.*openapi'];
      await succeed(workspace.run(tools.jest, ['--runInBand', '--json', '--outputFile=specs.json', ...specs]));
      const { testResults } = JSON.parse(workspace.read('specs.json')) as {
        readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly unknown[] }[];
      };
      const casesIn = (part: string): number =>
        testResults.filter(({ name }) => name.includes(part)).flatMap((suite) => suite.assertionResults).length;
      expect([casesIn('/token-bucket/'), casesIn('/run-labels/')]).toEqual([2, 44]);
    });
  });
});
