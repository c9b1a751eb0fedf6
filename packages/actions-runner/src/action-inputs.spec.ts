import type { Variables } from './runner-types';
import { useRunner } from './use-runner';

const runner = useRunner();
const { anAction, run } = runner;

const printInputs = `
for (const [name, value] of Object.entries(process.env).sort()) if (name.startsWith('INPUT_')) console.log(name + '=' + value);
`;

describe('inputs', () => {
  const inputs = `{ Some name: { default: given by default }, with-dash: { default: true }, plain: {} }`;

  it('take their defaults, or are empty, in upper case, with underscores for spaces and dashes kept', async () => {
    const { log } = await run([{ action: anAction({ main: printInputs, inputs }) }]);
    expect(log).toBe('INPUT_PLAIN=\nINPUT_SOME_NAME=given by default\nINPUT_WITH-DASH=true\n');
  });

  it('of the user override the default, even if empty, with any case of the name', async () => {
    const { log } = await run([
      { action: anAction({ main: printInputs, inputs }), with: { 'some NAME': '', plain: 'x' } },
    ]);
    expect(log).toBe('INPUT_PLAIN=x\nINPUT_SOME_NAME=\nINPUT_WITH-DASH=true\n');
  });

  it('that are unknown or deprecated cause a warning and are passed on', async () => {
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

  it('are evaluated again for the post, from the outputs of that moment', async () => {
    const ids = { action: anAction({ main: `add('OUTPUT', 'id=7\\n')` }), id: 'late' };
    const first = anAction({ main: '', post: 'console.log(process.env.INPUT_ID)', inputs: '{ id: {} }' });
    const { posts } = await run([{ action: first, with: ({ late }): Variables => ({ id: late?.id ?? 'none' }) }, ids]);
    expect(posts[0]?.log).toBe('7\n');
  });
});

describe('command files', () => {
  it('set outputs, and variables for later steps and posts, but not for the step itself', async () => {
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

  it('cannot change variables that the runner itself sets', async () => {
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

  it('contain a masked summary', async () => {
    const main = `console.log('::add-mask::s3cret-value'); add('STEP_SUMMARY', '# s3cret-value of the job')`;
    const { steps } = await run([{ action: anAction({ main }) }]);
    expect(steps[0]?.summary).toBe('# *** of the job');
    expect(steps[0]?.files.summary.toString()).toBe('# s3cret-value of the job');
  });
});
