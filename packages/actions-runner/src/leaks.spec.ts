import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { findLeaks } from './leaks';
import { runSteps } from './run-steps';
import type { RunnerResult } from './runner-types';

const secret = 'tok+en/with"odd signs';
let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => folder.remove());

function run(main: string): Promise<RunnerResult> {
  const [action, workspace] = [folder.file('action'), folder.file('workspace')];
  mkdirSync(action);
  mkdirSync(workspace);
  writeFileSync(path.join(action, 'action.yml'), 'runs: { using: node24, main: main.js }');
  const head = `const { appendFileSync: add, writeFileSync } = require('node:fs'); const s = ${JSON.stringify(secret)};\n`;
  writeFileSync(path.join(action, 'main.js'), head + main);
  return runSteps({ workspace, node: process.execPath, steps: [{ action }] });
}

describe('leaks', () => {
  it('finds none if the secret was masked before it was printed', async () => {
    const result = await run(`console.log('::add-mask::' + s); console.log('have ' + s)`);
    expect(result.log).toBe('have ***\n');
    expect(findLeaks(result, [secret])).toEqual([]);
  });

  it.each([
    ['in the log', 'console.log(s)', { where: 'log of step 0', form: 'plain' }],
    ['in a debug line', `console.log('::debug::' + s)`, { where: 'log of step 0', form: 'plain' }],
    ['for an address', 'console.log(encodeURIComponent(s))', { where: 'log of step 0', form: 'URI-escaped' }],
    ['in JSON', 'console.log(JSON.stringify(s))', { where: 'log of step 0', form: 'JSON-escaped' }],
    [
      'in a variable',
      `add(process.env.GITHUB_ENV, 'A=' + s + '\\n')`,
      { where: 'GITHUB_ENV of step 0', form: 'plain' },
    ],
    [
      'in the state',
      `add(process.env.GITHUB_STATE, 'A=' + s + '\\n')`,
      { where: 'GITHUB_STATE of step 0', form: 'plain' },
    ],
    ['in PATH', `add(process.env.GITHUB_PATH, s + '\\n')`, { where: 'GITHUB_PATH of step 0', form: 'plain' }],
    [
      'in the summary',
      `add(process.env.GITHUB_STEP_SUMMARY, s)`,
      { where: 'GITHUB_STEP_SUMMARY of step 0', form: 'plain' },
    ],
  ])('finds a secret %s', async (_, main, leak) => {
    expect(findLeaks(await run(main), { token: secret })).toContainEqual({ secret: 'token', ...leak });
  });

  it.each([0, 1, 2])('finds a secret in base64 behind 3n + %i bytes, in both alphabets', (offset) => {
    const prefix = 'x'.repeat(3 + offset);
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(`${prefix}${secret}-and-more`).toString(encoding);
      const result = { steps: [], posts: [], leftovers: [{ path: '/x', bytes: Buffer.from(text) }] };
      expect(findLeaks(aResult(result), [secret]).map(({ where, form }) => [where, form.slice(0, 18)])).toEqual([
        ['left over: /x', `base64 at offset ${offset}`],
      ]);
    }
  });

  it('finds a leftover file, and a single line of a key', async () => {
    const key = `-----BEGIN KEY-----\n${'QUJD'.repeat(16)}\n-----END KEY-----`;
    const result = await run(`writeFileSync('left.txt', 'x${'QUJD'.repeat(16)}y')`);
    expect(findLeaks(result, { key })).toEqual([
      { secret: 'key', where: expect.stringMatching(/^left over: .*left\.txt$/) as string, form: 'line 2, plain' },
    ]);
  });

  it('allows the secret in the named outputs, and only once', async () => {
    const result = await run(`add(process.env.GITHUB_OUTPUT, 'access_token=' + s + '\\n')`);
    expect(findLeaks(result, [secret], { outputs: ['access_token', 'id_token'] })).toEqual([]);
    expect(findLeaks(result, [secret])).toEqual([{ secret: '0', where: 'GITHUB_OUTPUT of step 0', form: 'plain' }]);
    const twice = result.steps.map((step) => ({
      ...step,
      files: { ...step.files, output: Buffer.from(`access_token=${secret}\nother=${secret}\n`) },
    }));
    expect(findLeaks({ ...result, steps: twice }, [secret], { outputs: ['access_token'] })).toHaveLength(1);
  });

  it('refuses to search for a secret that is too short', async () => {
    await expect(run('').then((result) => findLeaks(result, ['short']))).rejects.toThrow('too short');
  });
});

function aResult(parts: Pick<RunnerResult, 'steps' | 'posts' | 'leftovers'>): RunnerResult {
  return { outcome: 'success', env: {}, paths: [], log: '', ...parts };
}
