import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@weir/test-kit';
import { actionFixture, type ActionFixture } from './testing/action-fixture';

let fixture: ActionFixture;
beforeEach(async () => (fixture = await actionFixture()));
afterEach(() => fixture.remove());

describe('noop and log.write', () => {
  it('does nothing', async () => {
    expect(await fixture.run('noop', {})).toEqual({
      outcome: { status: 'succeeded' },
      stdout: '',
      stderr: '',
      started: [],
    });
  });

  it('writes the message to a log that only its owner can read', async () => {
    const { outcome, stdout } = await fixture.run('log.write', { message: 'one\ntwo' });

    expect(outcome).toEqual({ status: 'succeeded' });
    expect(stdout).toBe('one\ntwo\n');
    const file = join(fixture.folder, 'logs');
    expect((await stat(file)).mode & 0o777).toBe(0o700);
  });

  it('does nothing once the run is stopped', async () => {
    const { outcome, stdout } = await fixture.run('log.write', { message: 'late' }, { signal: AbortSignal.abort() });

    expect(outcome).toEqual({ status: 'aborted', error: 'run stopped' });
    expect(stdout).toBe('');
  });
});

describe('the log of an action that prints more than it may contain', () => {
  const limits = { maxBytes: 5, maxRunBytes: 100 };

  it('is cut, and ends with a note', async () => {
    const options = { logLimits: { ...limits, onExceeded: 'drop' } } as const;
    const { outcome, stdout } = await fixture.run('log.write', { message: 'a long text' }, options);

    expect(outcome).toEqual({ status: 'succeeded' });
    expect(stdout).toBe('a lon\n[Log limit: output after 5 bytes was dropped.]\n');
  });

  it.each(['log.write', 'exec'] as const)('fails %s, if that is wanted', async (action) => {
    const settings = action === 'exec' ? { command: 'yes' } : { message: 'a long text' };
    const { outcome } = await fixture.run(action, settings, { logLimits: { ...limits, onExceeded: 'fail' } });

    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The step wrote more than its log may contain.',
    });
  });
});

describe('settings that are invalid once references are replaced', () => {
  it('fail the step, without a value in the error', async () => {
    const { outcome } = await fixture.run('http.request', { method: 'GET', url: 'hunter2', timeout: 'hunter2' });

    expect(outcome.status).toBe('failed');
    expect(outcome.error).toContain('http.request: ');
    expect(outcome.error).toContain('url');
    expect(outcome.error).toContain('timeout');
    expect(outcome.error).not.toContain('hunter2');
  });
});

describe('exec', () => {
  it('passes arguments unchanged', async () => {
    const { outcome, stdout, started } = await fixture.run('exec', {
      command: 'printf',
      args: ['%s|', '$HOME', '*', 'a b', ''],
    });

    expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 0 });
    expect(stdout).toBe('$HOME|*|a b||');
    expect(started).toHaveLength(1);
  });

  it('gives the program the environment and the folder of the step', async () => {
    const { stdout } = await fixture.run('exec', { command: 'env' });

    expect(stdout).toContain('GREETING=hello\n');
    expect(stdout).toContain(`PWD=${fixture.folder}\n`);
  });

  it('fails with the exit status and the end of stderr', async () => {
    const { outcome } = await fixture.run('exec', { command: 'sh', args: ['-c', 'echo why >&2; exit 3'] });

    expect(outcome).toMatchObject({ status: 'failed', exitCode: 3, error: 'exit status 3: why' });
  });

  it('reports that the program was not found, without its name', async () => {
    const { outcome } = await fixture.run('exec', { command: '/nowhere/hunter2' });

    expect(outcome).toMatchObject({ status: 'failed', error: 'The program of the step was not found.' });
  });

  it('is ended by a stop, with the processes it started', async () => {
    const stop = new AbortController();
    const args = ['-c', 'touch started; sleep 30'];
    const running = fixture.run('exec', { command: 'sh', args }, { signal: stop.signal });
    await waitFor(() => existsSync(fixture.path('started')), { what: 'the program to start' });
    stop.abort();
    const { outcome } = await running;

    expect(outcome).toMatchObject({ status: 'aborted', signal: 'SIGTERM', error: 'run stopped' });
  });
});

describe('outputs.write', () => {
  it('publishes values of any kind', async () => {
    const { outcome } = await fixture.run('outputs.write', { values: { COUNT: 3, list: [1, { a: null }] } });

    expect(outcome).toEqual({
      status: 'succeeded',
      outputs: {
        fields: [],
        declared: [
          { name: 'COUNT', value: 3 },
          { name: 'list', value: [1, { a: null }] },
        ],
      },
    });
  });

  it('refuses outputs larger than the limit of a step', async () => {
    const { outcome } = await fixture.run('outputs.write', { values: { A: 'x'.repeat(100) } }, { maxOutputBytes: 50 });

    expect(outcome).toMatchObject({ status: 'failed', error: 'The outputs of the step are larger than 50 bytes.' });
  });
});

describe('jq.filter', () => {
  it('prints each result on a line, strings without quotes when raw', async () => {
    const data = ['a', { b: 1 }];
    expect((await fixture.run('jq.filter', { filter: '.[]', data })).stdout).toBe('"a"\n{"b":1}\n');
    expect((await fixture.run('jq.filter', { filter: '.[]', data, raw: true })).stdout).toBe('a\n{"b":1}\n');
  });

  it('accepts a value as text, or no value', async () => {
    expect((await fixture.run('jq.filter', { filter: '.', input: '{"a":1}' })).stdout).toBe('{"a":1}\n');
    expect((await fixture.run('jq.filter', { filter: '.' })).stdout).toBe('null\n');
  });

  it('reads the file that the text names, when the text is not JSON', async () => {
    await writeFile(fixture.path('prices.json'), '{"a": [1, 2]}\n');
    await writeFile(fixture.path('notes.txt'), 'hunter2');
    const run = (input: string) => fixture.run('jq.filter', { filter: '.', input });

    expect((await run('prices.json')).stdout).toBe('{"a":[1,2]}\n');
    expect((await run(fixture.path('prices.json'))).stdout).toBe('{"a":[1,2]}\n');
    expect((await run('notes.txt')).outcome.error).toBe('the file that input names does not contain JSON.');
    expect((await run('{"a": ')).outcome.error).toBe('input is not JSON.');
  });

  it('fails without a value in the text', async () => {
    const { outcome } = await fixture.run('jq.filter', { filter: 'hunter2', input: '1' });
    expect(outcome.error).toContain('filter is no jq expression');
    expect(outcome.error).not.toContain('hunter2');
    expect((await fixture.run('jq.filter', { filter: '.', input: 'hunter2' })).outcome.error).toBe(
      'input is neither JSON nor a file.',
    );
  });
});

describe('template.render', () => {
  it('prints the template with its data, or writes it to a file', async () => {
    const data = { names: ['a', 'b'] };
    const template = '{{ range .names }}- {{ . }}\n{{ end }}';
    expect((await fixture.run('template.render', { template, data })).stdout).toBe('- a\n- b\n');
    const { outcome, stdout } = await fixture.run('template.render', { template_ref: template, data, output: 'list' });
    expect(outcome).toEqual({ status: 'succeeded' });
    expect(stdout).toBe('');
    expect(await readFile(fixture.path('list'), 'utf8')).toBe('- a\n- b\n');
  });

  it('fails with the line of the error', async () => {
    const { outcome } = await fixture.run('template.render', { template: '{{ hunter2' });
    expect(outcome).toMatchObject({ status: 'failed', error: 'Line 1 of the template: a {{ is not closed.' });
  });
});
