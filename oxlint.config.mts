import { defineConfig } from 'oxlint';

const foundationBans = ['express', '@prisma/*', 'pino', '@actions/*', 'react'];
const appTargets = ['foundation', 'contract', 'domain', 'data', 'kit', 'sdk'];

/** One row of the table in docs/architecture.md: what a type may depend on, and which packages it may not import. */
const typeRow = (type: string, mayDependOn: readonly string[], banned: readonly string[] = []) => ({
  sourceTag: `type:${type}`,
  onlyDependOnLibsWithTags: mayDependOn.map((target) => `type:${target}`),
  bannedExternalImports: banned,
});

const scopeRow = (scope: string, mayDependOn: readonly string[]) => ({
  sourceTag: `scope:${scope}`,
  onlyDependOnLibsWithTags: mayDependOn.map((target) => `scope:${target}`),
});

/** `testing` is empty for sources and names the testing type for specs. */
const constraints = (testing: readonly string[]) => [
  typeRow('foundation', ['foundation'], foundationBans),
  typeRow('contract', ['foundation'], foundationBans),
  typeRow('domain', ['foundation', 'domain', ...testing], foundationBans),
  typeRow('data', ['foundation', ...testing], ['express', '@actions/*', 'react']),
  typeRow('kit', ['foundation', ...testing], ['@prisma/*', '@actions/*', 'react']),
  typeRow('sdk', ['foundation', 'contract', 'domain', ...testing], ['express', '@prisma/*', 'pino', '@actions/*']),
  typeRow('testing', ['foundation', 'contract', 'domain', 'testing'], ['@prisma/*']),
  typeRow('app', [...appTargets, ...testing], ['@prisma/client', 'react']),
  typeRow('action', ['foundation', ...testing], ['express', '@prisma/*', 'pino', 'react']),
  typeRow('ui', ['foundation', 'ui'], ['express', '@prisma/*', 'pino', '@actions/*']),
  typeRow('web', ['foundation', 'contract', 'domain', 'sdk', 'ui'], ['express', '@prisma/*', 'pino']),
  typeRow('e2e', ['foundation', 'contract', 'sdk', 'testing'], ['express', '@prisma/*']),
  typeRow('tool', [...appTargets, 'testing', 'tool', 'ui'], ['react']),
  scopeRow('workflow', ['workflow', 'shared']),
  scopeRow('rollout', ['rollout', 'shared']),
  scopeRow('auth', ['auth', 'shared']),
  scopeRow('shared', ['shared']),
  scopeRow('workspace', ['workspace', 'workflow', 'rollout', 'auth', 'shared']),
];

const boundaries = (testing: readonly string[], options = {}) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      allow: [],
      enforceBuildableLibDependency: true,
      banTransitiveDependencies: true,
      depConstraints: constraints(testing),
      ...options,
    },
  ] as ['error', object],
});

const noEnvironment = {
  object: 'process',
  property: 'env',
  message: 'Only main.ts reads the environment; take a config value instead.',
};

/** The rules of the category "correctness" that repeat what the compiler checks. */
const compilerChecks = [
  'constructor-super',
  'getter-return',
  'no-class-assign',
  'no-const-assign',
  'no-dupe-class-members',
  'no-dupe-keys',
  'no-func-assign',
  'no-import-assign',
  'no-new-native-nonconstructor',
  'no-obj-calls',
  'no-setter-return',
  'no-this-before-super',
  'no-unreachable',
  'no-unsafe-negation',
  'no-unused-vars',
  'no-with',
];

export default defineConfig({
  plugins: ['typescript', 'oxc'],
  jsPlugins: ['@nx/oxlint/boundaries-plugin', './tools/boundaries/own-rules.mjs'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    '**/dist/**',
    '**/out-tsc/**',
    '**/generated/**',
    '.runtime/**',
    '**/*.{js,mjs,cjs,mts,cts}',
    '!examples/**/*.mts',
  ],
  categories: { correctness: 'error' },
  rules: {
    ...Object.fromEntries(compilerChecks.map((rule) => [rule, 'off' as const])),
    // Strings are sorted by code unit.
    'typescript/require-array-sort-compare': 'off',
    'no-array-constructor': 'error',
    'no-case-declarations': 'error',
    'no-empty': 'error',
    'no-empty-function': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'no-unexpected-multiline': 'error',
    'no-useless-constructor': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'typescript/adjacent-overload-signatures': 'error',
    'typescript/array-type': 'error',
    'typescript/ban-tslint-comment': 'error',
    'typescript/class-literal-property-style': 'error',
    'typescript/consistent-generic-constructors': 'error',
    'typescript/consistent-indexed-object-style': 'error',
    'typescript/consistent-type-assertions': 'error',
    'typescript/dot-notation': 'error',
    'typescript/no-confusing-non-null-assertion': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extraneous-class': 'error',
    'typescript/no-generated-empty-object-type': 'error',
    'typescript/no-inferrable-types': 'error',
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-mixed-enums': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-boolean-literal-compare': 'error',
    'typescript/no-unnecessary-condition': 'error',
    'typescript/no-unnecessary-template-expression': 'error',
    'typescript/no-unnecessary-type-arguments': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unnecessary-type-conversion': 'error',
    'typescript/no-unnecessary-type-parameters': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-enum-assignment': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/non-nullable-type-assertion-style': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-find': 'error',
    'typescript/prefer-for-of': 'error',
    'typescript/prefer-function-type': 'error',
    'typescript/prefer-includes': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/prefer-nullish-coalescing': 'error',
    'typescript/prefer-optional-chain': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/prefer-reduce-type-parameter': 'error',
    'typescript/prefer-regexp-exec': 'error',
    'typescript/prefer-return-this-type': 'error',
    'typescript/prefer-string-starts-ends-with': 'error',
    'typescript/related-getter-setter-pairs': 'error',
    'typescript/require-await': 'error',
    'typescript/unified-signatures': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/consistent-type-definitions': ['error', 'interface'],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/restrict-plus-operands': [
      'error',
      { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
    ],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'no-console': 'error',
    'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    'no-restricted-properties': ['error', noEnvironment],
    'weir/export-all': 'error',
    'weir/object-spread': 'error',
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'max-depth': ['error', { max: 4 }],
    'max-statements': ['error', { max: 30 }],
    'no-warning-comments': ['error', { terms: ['fixme', 'xxx'] }],
    ...boundaries([]),
  },
  overrides: [
    {
      // A reader that has reported a finding ends with "return report…", which answers undefined: nothing was read.
      files: ['packages/workflow-spec/src/**/*.ts'],
      rules: { 'typescript/no-confusing-void-expression': 'off' },
    },
    {
      files: ['packages/{*-contract,*-client}/src/**/*.ts', 'packages/{ui-*,*-ui}/src/**/*.{ts,tsx}'],
      excludeFiles: ['**/*.spec.ts', '**/testing/**', 'packages/http-contract/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [{ group: ['node:*'], message: 'This runs in a browser too.' }] },
        ],
      },
    },
    {
      // The bundler of the web interfaces reads the components' sources.
      files: ['packages/*-ui/src/**/*.{ts,tsx}'],
      rules: boundaries([], { enforceBuildableLibDependency: false }),
    },
    {
      files: ['**/*.{spec,contract-spec,type-spec}.ts', '**/testing/**/*.ts'],
      rules: {
        ...boundaries(['testing']),
        'max-statements': 'off',
        'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      },
    },
    {
      files: ['packages/*-ui/src/**/*.spec.ts'],
      rules: boundaries(['testing'], { enforceBuildableLibDependency: false }),
    },
    {
      // A suite body is one long function by nature, and these projects exist only to test or to build.
      files: [
        'packages/{test-kit,fake-cloud,fake-engine,actions-runner}/src/**/*.ts',
        'apps/*-e2e/src/**/*.ts',
        'tools/**/*.ts',
      ],
      rules: { 'no-restricted-properties': 'off', 'max-statements': ['error', { max: 50 }] },
    },
    {
      files: ['apps/*-e2e/src/**/*.{spec,contract-spec}.ts', 'tools/**/*.spec.ts'],
      rules: { 'max-statements': 'off' },
    },
    {
      // A composition root makes one thing after the other.
      files: ['apps/*/src/composition.ts'],
      rules: { 'max-statements': 'off' },
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
  ],
});
