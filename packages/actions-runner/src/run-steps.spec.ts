import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runSteps } from './run-steps';
import type { RunnerResult, RunnerStep, RunStepsOptions, Variables } from './runner-types';

let folder: TemporaryFolder;
let workspace: string;

beforeEach(() => {
  folder = temporaryFolder();
  workspace = folder.file('workspace');
  mkdirSync(workspace);
});

afterEach(() => folder.remove());

interface Action {
  readonly main: string;
  readonly post?: string;
  readonly postIf?: string;
  readonly inputs?: string;
}

const append = `
const { appendFileSync } = require('node:fs');
const add = (file, text) => appendFileSync(process.env['GITHUB_' + file], text);
`;
let actions = 0;

/** A throw-away action in its own folder. */
function anAction({ main, post, postIf, inputs = '{}' }: Action): string {
  actions += 1;
  const place = folder.file(`action-${actions}`);
  mkdirSync(place);
  const lines = [
    `name: throw-away`,
    `inputs: ${inputs}`,
    `runs:`,
    `  using: node24`,
    `  main: main.js`,
    ...(post === undefined ? [] : ['  post: post.js']),
    ...(postIf === undefined ? [] : [`  post-if: ${postIf}`]),
  ];
  writeFileSync(path.join(place, 'action.yml'), lines.join('\n'));
  writeFileSync(path.join(place, 'main.js'), append + main);
  if (post !== undefined) writeFileSync(path.join(place, 'post.js'), append + post);
  return place;
}

const run = (steps: readonly RunnerStep[], options: Partial<RunStepsOptions> = {}): Promise<RunnerResult> =>
  runSteps({ workspace, node: process.execPath, steps, ...options });

const printInputs = `
for (const [name, value] of Object.entries(process.env).sort()) if (name.startsWith('INPUT_')) console.log(name + '=' + value);
`;

describe('inputs', () => {
  const inputs = `{ Some name: { default: given by default }, with-dash: { default: true }, plain: {} }`;

  it('take their defaults, or are empty, in upper case, with a line for a blank and the dash kept', async () => {
    const { log } = await run([{ action: anAction({ main: printInputs, inputs }) }]);
    expect(log).toBe('INPUT_PLAIN=\nINPUT_SOME_NAME=given by default\nINPUT_WITH-DASH=true\n');
  });

  it('of the user beat the default, the empty text too, whatever the case of the name', async () => {
    const { log } = await run([
      { action: anAction({ main: printInputs, inputs }), with: { 'some NAME': '', plain: 'x' } },
    ]);
    expect(log).toBe('INPUT_PLAIN=x\nINPUT_SOME_NAME=\nINPUT_WITH-DASH=true\n');
  });

  it('that the action does not know, or no longer wants, are warned about and passed on', async () => {
    const old = '{ old: { deprecationMessage: use new } }';
    const { steps, log } = await run([
      { action: anAction({ main: printInputs, inputs: old }), with: { old: '1', odd: '2' } },
    ]);
    expect(steps[0]?.annotations.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "warning: Unexpected input(s) 'odd', valid inputs are ['old']",
      "warning: Input 'old' has been deprecated with message: use new",
    ]);
    expect(log).toContain('INPUT_ODD=2\nINPUT_OLD=1\n');
  });

  it('are worked out again for the post, from the outputs of that moment', async () => {
    const ids = { action: anAction({ main: `add('OUTPUT', 'id=7\\n')` }), id: 'late' };
    const first = anAction({ main: '', post: 'console.log(process.env.INPUT_ID)', inputs: '{ id: {} }' });
    const { posts } = await run([{ action: first, with: ({ late }): Variables => ({ id: late?.id ?? 'none' }) }, ids]);
    expect(posts[0]?.log).toBe('7\n');
  });
});

describe('command files', () => {
  it('give outputs, and variables to later steps and posts, but not to the step itself', async () => {
    const print = 'console.log(String(process.env.COLOUR))';
    const writer = anAction({ main: `add('ENV', 'COLOUR<<E\\nred\\ngreen\\nE\\n'); ${print}`, post: print });
    const seen: string[] = [];
    const { steps, posts, env } = await run([
      { action: anAction({ main: '', post: print }) },
      { action: writer },
      { action: anAction({ main: print }) },
      { inspect: (view) => void seen.push(view.env.COLOUR ?? 'none') },
    ]);
    expect(steps.map(({ log }) => log)).toEqual(['', 'undefined\n', 'red\ngreen\n']);
    expect(posts.map(({ log }) => log)).toEqual(['red\ngreen\n', 'red\ngreen\n']);
    expect(seen).toEqual(['red\ngreen']);
    expect(env).toEqual({ COLOUR: 'red\ngreen' });
  });

  it('refuse NODE_OPTIONS and keep the rest', async () => {
    const { steps, env } = await run([{ action: anAction({ main: `add('ENV', 'NODE_OPTIONS=-r x\\nA=1\\n')` }) }]);
    expect(steps[0]).toMatchObject({ outcome: 'success', annotations: [{ level: 'error' }] });
    expect(env).toEqual({ A: '1' });
  });

  it('cannot change what the runner itself sets', async () => {
    const { log } = await run([
      { action: anAction({ main: `add('ENV', 'GITHUB_REPOSITORY=evil/repo\\n')` }) },
      { action: anAction({ main: 'console.log(process.env.GITHUB_REPOSITORY)' }) },
    ]);
    expect(log).toBe('octo-org/octo-repo\n');
  });

  it('that are broken fail the step', async () => {
    const { outcome, steps } = await run([{ action: anAction({ main: `add('OUTPUT', 'nonsense\\n')` }), id: 'x' }]);
    expect(outcome).toBe('failure');
    expect(steps[0]).toMatchObject({ exitCode: 0, outcome: 'failure', outputs: {} });
    expect(steps[0]?.log).toContain("Unable to process file command 'output' successfully.");
  });

  it('that the action deletes count as empty', async () => {
    const main = `require('node:fs').unlinkSync(process.env.GITHUB_ENV)`;
    expect((await run([{ action: anAction({ main }) }])).outcome).toBe('success');
  });

  it('add to PATH, the last one first', async () => {
    const { log, paths } = await run([
      { action: anAction({ main: `add('PATH', '/one\\n/two\\n')` }) },
      { action: anAction({ main: `console.log(process.env.PATH.split(':').slice(0, 2).join())` }) },
    ]);
    expect(log).toBe('/two,/one\n');
    expect(paths).toEqual(['/two', '/one']);
  });

  it('hold a summary, masked', async () => {
    const main = `console.log('::add-mask::s3cret-value'); add('STEP_SUMMARY', '# s3cret-value of the job')`;
    const { steps } = await run([{ action: anAction({ main }) }]);
    expect(steps[0]?.summary).toBe('# *** of the job');
    expect(steps[0]?.files.summary.toString()).toBe('# s3cret-value of the job');
  });
});

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

describe('logs', () => {
  it('hide a mask from the line on that adds it, line by line, in the runner’s spellings', async () => {
    const main = `
const secret = 'first line\\nsecond "line"';
console.log(secret);
console.log('::add-mask::' + secret.replaceAll('\\n', '%0A'));
console.log(secret);
console.error(Buffer.from(secret).toString('base64'));
console.log(JSON.stringify({ secret }), encodeURIComponent(secret));
`;
    const { steps } = await run([
      { action: anAction({ main }) },
      { action: anAction({ main: `console.log('first line')` }) },
    ]);
    const [shown, rest] = [steps[0]?.log ?? '', steps[1]?.log];
    expect(shown.startsWith('first line\nsecond "line"\n***\n***\n')).toBe(true);
    expect(shown.split('\n').slice(4).sort()).toEqual(['', '***', '{"secret":"***"} ***']);
    expect(rest).toBe('***\n');
    expect(steps[0]?.raw.toString()).toContain('::add-mask::first line%0Asecond "line"\n');
  });

  it('hide secrets of the repository from the start', async () => {
    const { log } = await run([{ action: anAction({ main: `console.log('a hunter22 b')` }) }], {
      secrets: ['hunter22'],
    });
    expect(log).toBe('a *** b\n');
  });

  it('hold annotations with unescaped, masked texts', async () => {
    const main = `console.log('::add-mask::hunter22'); console.log(' ::error file=a%2Cb,line=1::50%25 of%0Ahunter22');`;
    const { steps } = await run([{ action: anAction({ main }) }]);
    expect(steps[0]?.annotations).toEqual([
      { level: 'error', message: '50% of\n***', properties: { file: 'a,b', line: '1' } },
    ]);
  });

  it('hold debug lines and groups, and know when commands are stopped', async () => {
    const main = `console.log('::group::G\\n::debug::d\\n::endgroup::\\n::stop-commands::T0ken\\n::error::not one\\n::T0ken::\\n::notice::one\\n::nothing::')`;
    const { steps, log } = await run([{ action: anAction({ main }) }]);
    expect(log).toBe('##[group]G\n##[debug]d\n##[endgroup]\n::error::not one\n##[notice]one\n::nothing::\n');
    expect(steps[0]?.annotations).toHaveLength(1);
  });

  it('warn about an empty mask and about commands of the past', async () => {
    const main = `console.log('::add-mask::\\n::set-env name=A::1\\n::set-output name=o::2\\n::save-state name=s::3')`;
    const { steps, env } = await run([{ action: anAction({ main }) }]);
    expect(steps[0]?.annotations.map(({ level }) => level)).toEqual(['warning', 'error', 'warning', 'warning']);
    expect(steps[0]).toMatchObject({ outputs: { o: '2' }, state: { s: '3' } });
    expect(env).toEqual({});
  });

  it('keep characters whole that arrive in pieces, and a last line without an end', async () => {
    const main = `
const bytes = Buffer.from('a€');
process.stdout.write(bytes.subarray(0, 2));
setTimeout(() => process.stdout.write(bytes.subarray(2)), 30);`;
    expect((await run([{ action: anAction({ main }) }])).log).toBe('a€\n');
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

  it('of the step beats that of the job, and both reach programs', async () => {
    const program = { program: process.execPath, args: ['-e', print('A', 'B')], env: { A: 'step' } };
    expect((await run([program], { env: { A: 'job', B: 'job' }, debug: true })).log).toBe('step   job\n');
  });
});

describe('steps', () => {
  it('pass outputs on by id, and may go on after a failure', async () => {
    const failing = anAction({ main: `add('OUTPUT', 'x=1\\n'); process.exit(1)` });
    const { outcome, log } = await run([
      { action: failing, id: 'one', continueOnError: true },
      { program: process.execPath, args: ['-p', 'process.env.X'], env: ({ one }) => ({ X: one?.x ?? '' }) },
    ]);
    expect(outcome).toBe('success');
    expect(log).toBe('1\n');
  });

  it('are told how those before them ended', async () => {
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

  it('that are programs are told to have failed, and keep the others from running', async () => {
    const failing = { program: process.execPath, args: ['-e', 'process.exit(4)'] };
    const { log, steps } = await run([failing, failing, { inspect: () => expect('this').toBe('skipped') }]);
    expect(log).toBe('##[error]Process completed with exit code 4.\n');
    expect(steps.map(({ outcome }) => outcome)).toEqual(['failure', 'skipped']);
  });

  it('are killed at the deadline, and their posts still run', async () => {
    const action = anAction({ main: 'setInterval(() => {}, 1000)', post: `console.log('cleaned')` });
    const { steps, posts } = await run([{ action }], { deadlineMs: 300 });
    expect(steps[0]).toMatchObject({ outcome: 'failure', exitCode: null, timedOut: true });
    expect(posts[0]?.log).toBe('cleaned\n');
  });

  it('leave files that are told, with their bytes, and a temporary folder that is gone', async () => {
    writeFileSync(path.join(workspace, 'old.txt'), 'old');
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

  it('that no runner could start are a mistake of the test', async () => {
    await expect(run([{ action: folder.file('nowhere') }])).rejects.toThrow('no action.yml');
    await expect(run([{ program: '/nowhere/program' }])).rejects.toMatchObject({ code: 'ENOENT' });
    const odd = anAction({ main: '', post: '', postIf: 'github.actor' });
    await expect(run([{ action: odd }])).rejects.toThrow('condition "github.actor"');
    const inputs = `{ token: { default: '\${{ github.token }}' } }`;
    await expect(run([{ action: anAction({ main: '', inputs }) }])).rejects.toThrow('is an expression, which is not supported');
  });
});

const otherNode = ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file));
(otherNode === undefined ? it.skip : it)('runs actions with the Node that it is told', async () => {
  const { log } = await run([{ action: anAction({ main: 'console.log(process.execPath)' }) }], {
    node: otherNode ?? '',
  });
  expect(log.trim().length).toBeGreaterThan(0);
});
