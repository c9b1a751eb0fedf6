// What Jest's CommonJS runtime cannot load as it is: pure ES modules, and a package that calls `import()`.
const esModules = [
  'jose',
  'openid-client',
  'oauth4webapi',
  'uuid',
  'commander',
  'eventsource-parser',
  'openapi-fetch',
  'pg-boss',
  'rrule-temporal',
  'serialize-error',
  'non-error',
  'tagged-tag',
  '@opentelemetry/otlp-exporter-base',
];

/** The only Jest configuration with content; a project adds its display name, and the retry where cases drive a browser. */
module.exports = {
  // The modules of a worker are evaluated once; `@jest-environment node` at the top of a suite gives it its own.
  testEnvironment: require.resolve('./tools/jest/shared-environment.cjs'),
  runtime: require.resolve('./tools/jest/shared-runtime.cjs'),
  setupFiles: [require.resolve('./tools/jest/seed-properties.cjs')],
  testMatch: ['**/src/**/*.{spec,contract-spec}.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/out-tsc/'],
  transform: {
    '^.+\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023', keepClassNames: true },
        module: { type: 'commonjs' },
        swcrc: false,
      },
    ],
  },
  // Specifiers of `import()` name the emitted file.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`],
  testEnvironmentOptions: { customExportConditions: ['@weir/source', 'node', 'node-addons', 'require', 'default'] },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  testTimeout: 120_000,
  clearMocks: true,
};
