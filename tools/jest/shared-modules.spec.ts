import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

const evaluated = (name: string): string =>
  `require('node:fs').appendFileSync(require('node:path').join(__dirname, '${name}.log'), 'x');`;

const suite = `
  const shared = require('./shared.cjs');
  const { own } = require('./own.contract-spec.cjs');
  const { transparent } = require('./transparent.cjs');

  test('starts with its own variables, listeners and time-out', () => {
    expect(process.env.LEFT).toBeUndefined();
    expect(process.listenerCount('left')).toBe(0);
    expect(Object.getOwnPropertySymbols(globalThis).map(String)).not.toContain('Symbol(TEST_TIMEOUT_SYMBOL)');
    process.env.LEFT = 'by another suite';
    process.on('left', () => undefined);
    jest.setTimeout(1234);
  });
  test('reaches one realm', () => {
    expect(shared.list()).toBeInstanceOf(Array);
    expect(shared.list()).toStrictEqual([new Date(0)]);
    expect(transparent).toBe(shared);
    expect(own).toBe(true);
  });
`;

const files = {
  'shared.cjs': `${evaluated('shared')} exports.list = () => [new Date(0)];`,
  'transparent.cjs': "exports.transparent = require('./shared.cjs');",
  'own.contract-spec.cjs': `${evaluated('own')} exports.own = true;`,
  'first.spec.cjs': suite,
  'second.spec.cjs': suite,
  'refused.spec.cjs': `
    test.each([
      ['resetModules', () => jest.resetModules()],
      ['isolateModules', () => jest.isolateModules(() => undefined)],
      ['mock', () => jest.doMock('./shared.cjs', () => ({}))],
    ])('refuses %s', (name, call) => {
      expect(call).toThrow('/** @jest-environment node */');
    });`,
  'isolated.spec.cjs': `/** @jest-environment node */
    const shared = require('./shared.cjs');
    test('has modules of its own', () => {
      jest.resetModules();
      expect(require('./shared.cjs')).not.toBe(shared);
    });`,
  'failing.spec.cjs': "test('fails', () => require('./failing.cjs').fail());",
  'failing.cjs': "exports.fail = () => {\n  throw new Error('on the second line');\n};",
};

interface SuiteResult {
  readonly name: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

describe('suites of one worker', () => {
  let folder: TemporaryFolder;
  let results: ReadonlyMap<string, SuiteResult>;

  beforeAll(async () => {
    folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(name), text);
    results = await runJest(folder);
  });

  afterAll(() => folder.remove());

  const statusesOf = (name: string): readonly string[] | undefined =>
    results.get(name)?.assertionResults.map(({ status }) => status);

  it.each(['first', 'second'])('pass, whatever the others left: %s', (name) => {
    expect(statusesOf(`${name}.spec.cjs`)).toEqual(['passed', 'passed']);
  });

  it('refuse what would reach the modules of other suites', () => {
    expect(statusesOf('refused.spec.cjs')).toEqual(['passed', 'passed', 'passed']);
  });

  it('have modules of their own when they say so', () => {
    expect(statusesOf('isolated.spec.cjs')).toEqual(['passed']);
  });

  it('evaluate a module once, and twice more for the suite that has its own and resets them', () => {
    expect(readFileSync(folder.file('shared.log'), 'utf8')).toHaveLength(3);
  });

  it('evaluate what a spec imports from another spec once each', () => {
    expect(readFileSync(folder.file('own.log'), 'utf8')).toHaveLength(2);
  });

  it('name the line of a shared module that failed', () => {
    expect(results.get('failing.spec.cjs')?.message).toContain('failing.cjs:2:9');
  });
});

async function runJest(folder: TemporaryFolder): Promise<ReadonlyMap<string, SuiteResult>> {
  const config = {
    rootDir: folder.path,
    testMatch: ['**/*.spec.cjs'],
    transform: {},
    testEnvironment: path.join(__dirname, 'shared-environment.cjs'),
    runtime: path.join(__dirname, 'shared-runtime.cjs'),
  };
  const jest = path.resolve(__dirname, '../../node_modules/jest/bin/jest.js');
  const output = folder.file('results.json');
  const args = [jest, '--runInBand', '--config', JSON.stringify(config), '--json', '--outputFile', output];
  // One of the suites fails, so Jest ends with 1.
  await promisify(execFile)(process.execPath, args, { cwd: folder.path }).catch(() => undefined);
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as { readonly testResults: readonly SuiteResult[] };
  return new Map(testResults.map((result) => [path.basename(result.name), result]));
}
