import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

const foundationBans = ['express', '@prisma/*', 'pino', '@actions/*', 'react'];
const appTargets = ['foundation', 'contract', 'domain', 'data', 'kit', 'sdk'];

/** One row of the table in docs/architecture.md: what a type may depend on, and which packages it may not import. */
const typeRow = (type, mayDependOn, banned = []) => ({
  sourceTag: `type:${type}`,
  onlyDependOnLibsWithTags: mayDependOn.map((target) => `type:${target}`),
  bannedExternalImports: banned,
});

const scopeRow = (scope, mayDependOn) => ({
  sourceTag: `scope:${scope}`,
  onlyDependOnLibsWithTags: mayDependOn.map((target) => `scope:${target}`),
});

/** `testing` is empty for sources and names the testing type for specs. */
const constraints = (testing) => [
  typeRow('foundation', ['foundation'], foundationBans),
  typeRow('contract', ['foundation'], foundationBans),
  typeRow('domain', ['foundation', 'domain', ...testing], foundationBans),
  typeRow('data', ['foundation', ...testing], ['express', '@actions/*', 'react']),
  typeRow('kit', ['foundation', ...testing], ['@prisma/*', '@actions/*', 'react']),
  typeRow('sdk', ['foundation', 'contract', 'domain', ...testing], ['express', '@prisma/*', 'pino', '@actions/*']),
  typeRow('testing', ['foundation', 'contract', 'domain', 'testing'], ['@prisma/*']),
  typeRow('app', [...appTargets, ...testing], ['@prisma/client', 'react']),
  typeRow('action', ['foundation', ...testing], ['express', '@prisma/*', 'pino', 'react']),
  typeRow('ui', ['ui'], ['express', '@prisma/*', 'pino', '@actions/*']),
  typeRow('web', ['foundation', 'contract', 'domain', 'sdk', 'ui'], ['express', '@prisma/*', 'pino']),
  typeRow('e2e', ['foundation', 'contract', 'sdk', 'testing'], ['express', '@prisma/*']),
  typeRow('tool', [...appTargets, 'testing', 'tool', 'ui'], ['react']),
  scopeRow('workflow', ['workflow', 'shared']),
  scopeRow('rollout', ['rollout', 'shared']),
  scopeRow('auth', ['auth', 'shared']),
  scopeRow('shared', ['shared']),
  scopeRow('workspace', ['workspace', 'workflow', 'rollout', 'auth', 'shared']),
];

const boundaries = (testing, options = {}) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      allow: [],
      enforceBuildableLibDependency: true,
      banTransitiveDependencies: true,
      depConstraints: constraints(testing),
      ...options,
    },
  ],
});

const noEnvironment = {
  object: 'process',
  property: 'env',
  message: 'Only main.ts reads the environment; take a config value instead.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/out-tsc/**',
      '**/node_modules/**',
      '**/generated/**',
      '.nx/**',
      '.runtime/**',
      '.weir/**',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx', 'examples/**/*.mts'],
    extends: [eslint.configs.recommended, tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { '@nx': nx },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      ...boundaries([]),
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Express's request type is an interface over Node's class, so every use of one as the other would be reported.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // `const { dagName, ...rest }` is how a property is left out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'no-console': 'error',
      'no-restricted-properties': ['error', noEnvironment],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
        { selector: 'ExportAllDeclaration', message: 'List exports by name.' },
      ],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-warning-comments': ['error', { terms: ['fixme', 'xxx'] }],
    },
  },
  {
    // A reader that has reported a finding ends with "return report…", which answers undefined: nothing was read.
    files: ['packages/workflow-spec/src/**/*.ts'],
    rules: { '@typescript-eslint/no-confusing-void-expression': 'off' },
  },
  {
    files: ['packages/{*-contract,workflow-client}/src/**/*.ts', 'packages/{ui-*,*-ui}/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', '**/testing/**', 'packages/http-contract/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group: ['node:*'], message: 'This runs in a browser too.' }] }],
    },
  },
  {
    // The bundler of the web interfaces reads the components' sources.
    files: ['packages/{ui-app,*-ui}/src/**/*.{ts,tsx}'],
    rules: boundaries([], { enforceBuildableLibDependency: false }),
  },
  {
    files: ['**/*.{spec,contract-spec,type-spec}.ts', '**/testing/**/*.ts'],
    rules: {
      ...boundaries(['testing']),
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['packages/{ui-app,*-ui}/src/**/*.spec.ts'],
    rules: boundaries(['testing'], { enforceBuildableLibDependency: false }),
  },
  {
    // A suite body is one long function by nature, and these projects exist only to test or to build.
    files: [
      'packages/{test-kit,browser-kit,fake-cloud,fake-engine,actions-runner}/src/**/*.ts',
      'apps/*-e2e/src/**/*.ts',
      'tools/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off', 'max-lines-per-function': ['error', { max: 100 }] },
  },
  {
    files: ['apps/*-e2e/src/**/*.{spec,contract-spec}.ts', 'tools/**/*.spec.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // It is a program of its own, which gives agents their environment.
    files: ['packages/rollout-sdk/src/subproc/worker-main.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Programs for readers, which may not have the workspace around them: no package.json, so no boundaries either.
    files: ['examples/**/*.mts'],
    rules: { '@nx/enforce-module-boundaries': 'off', 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: ['apps/*/src/main.ts', 'packages/auth-action/src/{main,post,refresh}.ts', 'tools/**/*.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
);
