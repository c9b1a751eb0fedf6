import { copyWorkspace, type CommandResult, type WorkspaceCopy } from './workspace-copy';

jest.setTimeout(900_000);

const tools = {
  nx: 'node_modules/nx/dist/bin/nx.js',
  tsc: 'node_modules/typescript/bin/tsc',
  eslint: 'node_modules/eslint/bin/eslint.js',
  jest: 'node_modules/jest/bin/jest.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
} as const;

/** The output is what a person needs to see when a step fails. */
async function succeed(step: Promise<CommandResult>): Promise<string> {
  const { code, output } = await step;
  if (code !== 0) throw new Error(`ended with ${String(code)}:\n${output}`);
  return output;
}

describe('the generators', () => {
  let workspace: WorkspaceCopy;

  beforeAll(() => {
    workspace = copyWorkspace();
  });

  afterAll(() => {
    workspace.remove();
  });

  const generate = (...args: string[]): Promise<CommandResult> =>
    workspace.run(tools.nx, ['generate', ...args, '--no-interactive']);

  /** What a pull request with these files would have to pass. */
  const expectToPass = async (projects: readonly string[], files: readonly string[]): Promise<void> => {
    await succeed(workspace.run(tools.prettier, ['--check', ...files]));
    await succeed(workspace.run('tools/scripts/references.mjs', ['--check']));
    for (const project of projects) {
      await succeed(workspace.run(tools.tsc, ['-b'], project));
      await succeed(workspace.run(tools.eslint, ['.'], project));
    }
  };

  it('makes a package that passes lint, types and its own specs', async () => {
    const description = 'Hands out tokens at an even "rate"';
    await succeed(
      generate(
        '@weir/tools:package',
        'token-bucket',
        '--type=foundation',
        `--description=${description}`,
        '--skipInstall',
      ),
    );
    workspace.link('token-bucket', 'packages/token-bucket');

    await expectToPass(['packages/token-bucket'], ['packages/token-bucket']);
    const specs = await succeed(workspace.run(tools.jest, [], 'packages/token-bucket'));
    expect(specs).toContain('Tests:       2 passed, 2 total');
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

  it('refuses a package that exists', async () => {
    const { code, output } = await generate('@weir/tools:package', 'errors', '--type=foundation', '--description=x');

    expect(code).not.toBe(0);
    expect(output).toContain('packages/errors exists already.');
  });

  it.each([
    ['Errors', 'foundation'],
    ['../outside', 'foundation'],
    ['token-bucket', 'helper'],
  ])('refuses the name "%s" with the type "%s"', async (name, type) => {
    const { code } = await generate('@weir/tools:package', name, `--type=${type}`, '--description=x');

    expect(code).not.toBe(0);
  });

  it('makes a feature that passes lint, types, its own specs and the checks of contract and database', async () => {
    await succeed(generate('@weir/tools:feature', 'run-label'));

    const app = 'apps/workflow-api';
    const folders = [`${app}/src/features/run-labels`, 'packages/workflow-contract/src/run-labels'];
    const edited = [
      `${app}/src/composition.ts`,
      `${app}/src/platform.ts`,
      `${app}/src/testing/workflow-api.ts`,
      'packages/workflow-contract/src/contract.ts',
      'packages/workflow-contract/src/index.ts',
      'packages/workflow-contract/src/openapi/document.ts',
      'packages/workflow-db/src/unique-constraints.ts',
    ];
    await succeed(workspace.run(tools.prettier, ['--check', ...folders, ...edited]));
    await succeed(workspace.run(tools.tsc, ['-b'], app));
    await succeed(workspace.run(tools.eslint, [...folders, ...edited]));
    await succeed(workspace.run('tools/scripts/check-migrations.mjs', []));
    await succeed(workspace.run(tools.jest, ['translate-prisma-error'], 'packages/workflow-db'));
    await succeed(workspace.run(tools.jest, ['openapi'], 'packages/workflow-contract'));
    const specs = await succeed(workspace.run(tools.jest, ['run-labels'], app));
    expect(specs).toContain('Tests:       44 passed, 44 total');
  });

  it('refuses a feature that exists', async () => {
    const { code, output } = await generate('@weir/tools:feature', 'user');

    expect(code).not.toBe(0);
    expect(output).toContain('apps/workflow-api/src/features/users exists already.');
  });

  it('numbers decision records one after the other and lists them', async () => {
    await succeed(generate('@weir/tools:adr', 'Tokens, and how they are counted!'));
    await succeed(generate('@weir/tools:adr', 'Second thoughts'));

    const entries = workspace.read('docs/adr/README.md').trimEnd().split('\n').slice(-2);
    const [first, second] = entries.map((entry) => Number(/\[(\d{4}) /.exec(entry)?.[1]));
    expect(second).toBe((first ?? Number.NaN) + 1);
    expect(entries[0]).toMatch(
      /^- \[\d{4} Tokens, and how they are counted!\]\(\d{4}-tokens-and-how-they-are-counted\.md\)$/,
    );
    const file = /\((.+)\)$/.exec(entries[1] ?? '')?.[1] ?? '';
    expect(workspace.read(`docs/adr/${file}`)).toMatch(/^# Second thoughts\n\nStatus: proposed\n\n## Context\n/);
    await succeed(workspace.run(tools.prettier, ['--check', 'docs/adr']));
  });
});
