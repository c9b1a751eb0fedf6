import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunnerStep } from './runner-types';
import { useRunner } from './use-runner';

const runner = useRunner();
const { anAction, run } = runner;

describe('posts', () => {
  const print = `console.log(process.env.STATE_file + ' ' + process.env.STATE_other)`;

  it('run in reverse order, each with its own state only', async () => {
    const main = `add('STATE', 'file=' + process.env.INPUT_NAME + '\\n')`;
    const action = anAction({ main, post: print, inputs: '{ name: {} }' });
    const { posts, steps } = await run([
      { action, with: { name: 'a' } },
      { action, with: { name: 'b' } },
    ]);
    expect(posts.map(({ index, log }) => [index, log])).toEqual([
      [1, 'b undefined\n'],
      [0, 'a undefined\n'],
    ]);
    expect(steps[0]?.state).toEqual({ file: 'a' });
  });

  it('run when the main has failed, with what it saved before', async () => {
    const action = anAction({ main: `add('STATE', 'file=kept\\n'); process.exit(3)`, post: print });
    const { outcome, steps, posts } = await run([{ action }, { action: anAction({ main: '' }) }]);
    expect(outcome).toBe('failure');
    expect(steps.map(({ outcome, exitCode }) => [outcome, exitCode])).toEqual([
      ['failure', 3],
      ['skipped', undefined],
    ]);
    expect(posts.map(({ log }) => log)).toEqual(['kept undefined\n']);
  });

  it.each([
    ['success()', '', 'success'],
    ['success()', 'process.exit(1)', 'skipped'],
    ['failure()', '', 'skipped'],
    ['failure()', 'process.exit(1)', 'success'],
    ['always()', 'process.exit(1)', 'success'],
  ])('with post-if %s after "%s" end as %s', async (postIf, main, outcome) => {
    const { posts } = await run([{ action: anAction({ main, post: '', postIf }) }]);
    expect(posts.map((post) => post.outcome)).toEqual([outcome]);
  });

  it('that fail make the job fail', async () => {
    const { outcome } = await run([{ action: anAction({ main: '', post: 'process.exit(1)' }) }]);
    expect(outcome).toBe('failure');
  });
});

describe('the environment', () => {
  const print = (...names: string[]) => `console.log(${names.map((name) => `process.env.${name}`).join(", ' ', ")})`;
  const idNames = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'];

  it('has the id-token variables with the permission only', async () => {
    const action = anAction({ main: print(...idNames) });
    expect((await run([{ action }])).log).toBe('undefined   undefined\n');
    const idToken = { url: 'http://127.0.0.1:1/?x=1', token: 'bearer' };
    expect((await run([{ action }], { idToken })).log).toBe('http://127.0.0.1:1/?x=1   bearer\n');
  });

  it('has the context of the event, and nothing of the test’s own but PATH', async () => {
    const names = ['GITHUB_EVENT_NAME', 'GITHUB_ACTOR', 'GITHUB_ACTION', 'GITHUB_ACTION_REF', 'JEST_WORKER_ID'];
    const main = `${print(...names)}; console.log(require(process.env.GITHUB_EVENT_PATH).number, process.cwd() === process.env.GITHUB_WORKSPACE)`;
    const event = { name: 'pull_request', payload: { number: 5 }, context: { GITHUB_ACTOR: 'dependabot[bot]' } };
    const { log } = await run([{ action: anAction({ main }), uses: { repository: 'o/r', ref: 'v0' } }], { event });
    expect(log).toBe('pull_request   dependabot[bot]   __self   v0   undefined\n5 true\n');
  });

  it('of the step overrides that of the job, and both reach programs', async () => {
    const program = { program: process.execPath, args: ['-e', print('A', 'B')], env: { A: 'step' } };
    expect((await run([program], { env: { A: 'job', B: 'job' }, debug: true })).log).toBe('step   job\n');
  });
});

describe('steps', () => {
  it('pass outputs on by id, and may continue after a failure', async () => {
    const failing = anAction({ main: `add('OUTPUT', 'x=1\\n'); process.exit(1)` });
    const { outcome, log } = await run([
      { action: failing, id: 'one', continueOnError: true },
      { program: process.execPath, args: ['-p', 'process.env.X'], env: ({ one }) => ({ X: one?.x ?? '' }) },
    ]);
    expect(outcome).toBe('success');
    expect(log).toBe('1\n');
  });

  it('know the outcomes of earlier steps', async () => {
    const [good, bad] = ['0', '1'].map((code) => ({
      program: process.execPath,
      args: ['-e', `process.exit(${code})`],
    }));
    const { log } = await run([
      { ...good, id: 'good' } as RunnerStep,
      { ...bad, id: 'bad', continueOnError: true } as RunnerStep,
      { ...good, id: 'never', if: 'failure()' } as RunnerStep,
      { program: process.execPath, args: ['-p', 'process.env.X'], env: (_, ends) => ({ X: JSON.stringify(ends) }) },
    ]);
    expect(log).toContain('{"good":"success","bad":"failure","never":"skipped"}\n');
  });

  it('that are programs are reported as failed, and prevent the others from running', async () => {
    const failing = { program: process.execPath, args: ['-e', 'process.exit(4)'] };
    const { log, steps } = await run([failing, failing, { inspect: () => expect('this').toBe('skipped') }]);
    expect(log).toBe('##[error]Process completed with exit code 4.\n');
    expect(steps.map(({ outcome }) => outcome)).toEqual(['failure', 'skipped']);
  });

  it('are killed at the deadline, and their posts still run', async () => {
    const action = anAction({ main: 'setInterval(() => {}, 1000)', post: `console.log('cleaned')` });
    const { steps, posts } = await run([{ action }], { deadlineMs: 4000 });
    expect(steps[0]).toMatchObject({ outcome: 'failure', exitCode: null, timedOut: true });
    expect(posts[0]?.log).toBe('cleaned\n');
  });

  it('leave files that are reported with their bytes, and a removed temporary folder', async () => {
    writeFileSync(path.join(runner.workspace, 'old.txt'), 'old');
    const main = `
const { writeFileSync, symlinkSync } = require('node:fs');
writeFileSync('.hidden', 'new'); symlinkSync('old.txt', 'link'); writeFileSync(process.env.RUNNER_TEMP + '/t', 'temp');
console.log(process.env.RUNNER_TEMP);`;
    const { leftovers, log } = await run([{ action: anAction({ main }) }]);
    const named = leftovers.map(({ path: file, bytes }) => [path.basename(file), bytes.toString()]).sort();
    expect(named).toEqual([
      ['.hidden', 'new'],
      ['link', 'old.txt'],
      ['t', 'temp'],
    ]);
    expect(existsSync(log.trim())).toBe(false);
  });

  it('that a runner could not start are an error of the test', async () => {
    await expect(run([{ action: runner.folder.file('nowhere') }])).rejects.toThrow('no action.yml');
    await expect(run([{ program: '/nowhere/program' }])).rejects.toMatchObject({ code: 'ENOENT' });
    const odd = anAction({ main: '', post: '', postIf: 'github.actor' });
    await expect(run([{ action: odd }])).rejects.toThrow('condition "github.actor"');
    const inputs = `{ token: { default: '\${{ github.token }}' } }`;
    await expect(run([{ action: anAction({ main: '', inputs }) }])).rejects.toThrow(
      'is an expression, which is not supported',
    );
  });
});

const otherNode = ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file));
(otherNode === undefined ? it.skip : it)('runs actions with the Node that it is told', async () => {
  const { log } = await run([{ action: anAction({ main: 'console.log(process.execPath)' }) }], {
    node: otherNode ?? '',
  });
  expect(log.trim().length).toBeGreaterThan(0);
});
