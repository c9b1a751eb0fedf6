import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { startWeir } from '../../support/weir-server';
import { useDecisions } from './support/use-decisions';
import { dags } from './support/waiting-dags';

jest.setTimeout(60_000);

const decisions = useDecisions();
const { details, inState, waiting, readLog } = decisions;
const command = (...args: readonly string[]) => runWeir(args, { home: decisions.weir.home });

describe('the command line', () => {
  it('shows prompts, and reads fields by their types', async () => {
    const { code, stdout } = await command('start', 'task', '--run-id', 'by-hand');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      / {2}check: waiting\ntask by-hand: waiting\ncontinue with: weir human-task complete --run-id by-hand --step check task\n$/,
    );
    const status = await command('status', 'task', '--run-id', 'by-hand');
    const lines = status.stdout.trim().split('\n');
    expect(lines[0]).toBe('waiting');
    expect(lines).toContain('step id: check');
    expect(lines).toContain('prompt: May it go out?');
    expect(lines.find((line) => line.startsWith('form: '))).toContain('"percent":{"type":"integer"');

    const complete = (...flags: readonly string[]) =>
      command('human-task', 'complete', '--run-id', 'by-hand', '--step', 'check', ...flags);
    const wrong = await complete('--input', 'reason=x', '--input', 'percent=500');
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'weir: The answer does not match the form: /percent must be <= 100\n',
    ]);
    const twice = await complete('--inputs-json', '{"reason":"a","percent":5,"percent":50,"urgent":false}');
    expect([twice.code, twice.stderr]).toEqual([
      1,
      'weir: --inputs-json takes a JSON object in which no name is there twice.\n',
    ]);
    const fields = ['--input', 'reason=a=b', '--input', 'percent=50', '--input', 'urgent=false'];
    expect(await complete(...fields)).toMatchObject({ code: 0, stderr: '' });
    expect((await complete('--inputs-json', '{"reason":"a=b","percent":50,"urgent":false}')).stdout).toContain(
      'was completed before',
    );
    await inState('task', 'by-hand', 'succeeded');
    expect(await readLog('task', 'by-hand', 'deploy')).toBe('50 a=b false');
  });

  it('finds the only run that waits for a task, and no other', async () => {
    const complete = () =>
      command(
        'human-task',
        'complete',
        '--step',
        'check',
        '--inputs-json',
        '{"reason":"a","percent":5,"urgent":false}',
      );
    const refusal = (text: string) => ({ code: 1, stderr: `weir: ${text}\n` });
    expect(await complete()).toMatchObject(refusal('No run waits for the task "check".'));
    for (const id of ['one', 'two']) await command('start', 'task', '--run-id', id);
    expect(await complete()).toMatchObject(
      refusal('Several runs wait for the task "check": name the run with --run-id.'),
    );
    expect((await command('stop', 'task', '--run-id', 'two')).code).toBe(0);
    expect(await complete()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('task one: check completed') as string,
    });
    await inState('task', 'one', 'succeeded');
  });

  it('shows and completes a task of a child run, and the last of several tasks, by the step alone', async () => {
    const complete = (step: string, ...flags: readonly string[]) =>
      command('human-task', 'complete', '--step', step, ...flags);
    const started = await command('start', 'asking', '--run-id', 'above');
    expect(started.stdout).toMatch(/\ncontinue with: weir human-task complete --run-id \w+ --step ask asked-below\n$/);
    expect((await command('status', 'asking', '--run-id', 'above')).stdout).toContain('\nprompt: Why?\n');
    expect(await complete('ask', 'asking', '--input', 'reason=below')).toMatchObject({ code: 0, stderr: '' });
    await inState('asking', 'above', 'succeeded');
    expect(await readLog('asking', 'above', 'last')).toBe('below');
    await command('start', 'asked', '--run-id', 'several');
    expect((await command('status', 'asked', '--run-id', 'several')).stdout).not.toMatch(/Signed\?\nform:/);
    for (const step of ['sign', 'confirm']) expect(await complete(step)).toMatchObject({ code: 0, stderr: '' });
    await inState('asked', 'several', 'succeeded');
  });

  it('approves, rejects and pushes back', async () => {
    const id = await waiting('sent');
    const approval = (...args: readonly string[]) => command('approval', ...args, '--run-id', id, '--step', 'review');
    expect((await approval('push-back', '--input', 'FEEDBACK=more')).code).toBe(0);
    await waitFor(async () => (await details('sent', id)).nodes[1]?.approvalIteration === 1, { what: 'the push-back' });
    await inState('sent', id, 'waiting');
    expect(await approval('approve')).toMatchObject({ code: 1, stderr: expect.stringContaining('FEEDBACK') as string });
    expect(await approval('reject', 'sent', '--reason', 'no')).toMatchObject({ code: 0 });
    expect((await inState('sent', id, 'rejected')).nodes[2]?.error).toBe('rejected: no');
  });

  it('works without a server: the run is queued for the next one', async () => {
    const home = temporaryFolder();
    await writeFile(home.file('task.yaml'), dags.task);
    await writeFile(home.file('asked.yaml'), dags.asked);
    const weirAt = (...args: readonly string[]) => runWeir(args, { home });
    expect((await weirAt('start', 'task.yaml', '--run-id', 'alone')).code).toBe(0);
    const flags = ['--run-id', 'alone', '--step', 'check', '--input', 'reason=x', '--input', 'urgent=true'];
    expect((await weirAt('human-task', 'complete', ...flags)).stdout).toContain('queued');
    expect((await weirAt('status', 'task', '--run-id', 'alone')).stdout).toMatch(/^queued\n/);
    expect((await weirAt('start', 'asked.yaml', '--run-id', 'several')).code).toBe(0);
    for (const [step, said] of Object.entries({ sign: 'sign completed, queued, 1', confirm: 'confirm completed, 0' })) {
      expect((await weirAt('human-task', 'complete', '--step', step)).stdout).toContain(`${said} still waiting`);
    }
    const server = await startWeir({ home, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    await waitFor(async () => (await weirAt('status', 'task', '--run-id', 'alone')).stdout.startsWith('succeeded\n'), {
      deadlineMs: 30_000,
      what: 'the run to succeed',
    });
    await server.dispose();
  });

  it('reaches a start in the foreground, which then continues', async () => {
    const home = temporaryFolder();
    await writeFile(home.file('busy.yaml'), `working_dir: ${home.path}\n${dags.busy}`);
    const weirAt = (...args: readonly string[]) => runWeir(args, { home });
    const foreground = weirAt('start', 'busy.yaml', '--run-id', 'front');
    // Before that, this process might have the database in its place.
    await waitFor(() => existsSync(home.file('at-work')), { deadlineMs: 30_000, what: 'the step to be at work' });
    const approve = () => weirAt('approval', 'approve', 'busy', '--run-id', 'front', '--step', 'quick');
    await waitFor(async () => (await approve()).code === 0, { deadlineMs: 30_000, what: 'the step to wait' });
    await writeFile(home.file('go'), '');
    const { code, stdout } = await foreground;
    expect(code).toBe(0);
    expect(stdout).toMatch(/ {2}last: succeeded .*\nbusy front: succeeded/);
    await home.remove();
  });
});
