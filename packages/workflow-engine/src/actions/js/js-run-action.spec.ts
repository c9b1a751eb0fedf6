import { writeFile } from 'node:fs/promises';
import { actionFixture, type ActionFixture } from '../testing/action-fixture';
import type { JsResult, JsCall, JsPrinted, RunJs } from '../call/run-js';

let fixture: ActionFixture;
let asked: JsCall[];
let answer: JsResult;
let printed: readonly JsPrinted[];

// The threads are the server's; what is asked of them is the part of the engine.
const runJs: RunJs = (call, { onPrinted }) => {
  asked.push(call);
  for (const each of printed) onPrinted(each);
  return Promise.resolve(answer);
};

beforeEach(async () => {
  fixture = await actionFixture({ runJs });
  asked = [];
  printed = [];
  answer = { kind: 'returned' };
});
afterEach(() => fixture.remove());

describe('js.run', () => {
  it('requests the code to run with its input and limits', async () => {
    await fixture.run('js.run', { code: '() => 1' });
    const settings = { code: '() => 2', language: 'typescript', input: [1], timeout_sec: 5, memory_mb: 64 };
    await fixture.run('js.run', settings, { maxOutputBytes: 10 });

    const usual = {
      name: 'js.run',
      form: 'function',
      language: 'javascript',
      input: null,
      timeoutMs: 30_000,
      memoryMb: 256,
    };
    expect(asked).toEqual([
      { ...usual, code: '() => 1', maxBytes: 1_000_000 },
      {
        name: 'js.run',
        code: '() => 2',
        form: 'function',
        language: 'typescript',
        input: [1],
        timeoutMs: 5_000,
        memoryMb: 64,
        maxBytes: 10,
      },
    ]);
  });

  it('requests the body of a function to run, without an input, for up to a minute', async () => {
    await fixture.run('js.run', { script: 'return 1' });
    await fixture.run('js.run', { script: 'return 1', input: 2, timeout: '90s' });
    const usual = {
      name: 'js.run',
      code: 'return 1',
      form: 'body',
      language: 'javascript',
      memoryMb: 256,
      maxBytes: 1_000_000,
    };
    expect(asked).toEqual([
      { ...usual, timeoutMs: 60_000 },
      { ...usual, input: 2, timeoutMs: 90_000 },
    ]);
  });

  it.each([
    [{ input: '{"a":1}' }, '{"a":1}'],
    [{ input: '{"a":1}', format: 'json' }, { a: 1 }],
    [{ input: [1], format: 'json' }, [1]],
    [{ input_file: 'in.json' }, '[2]\n'],
    [{ input_file: 'in.json', format: 'json' }, [2]],
  ])('reads the argument from %j', async (settings, input) => {
    await writeFile(fixture.path('in.json'), '[2]\n');
    await fixture.run('js.run', { script: 'return input', ...settings });
    expect(asked).toMatchObject([{ input }]);
  });

  it.each([
    [{ input: 'secret', format: 'json' }, 'input does not contain JSON.'],
    [{ input_file: 'none.json' }, 'input_file was not found (ENOENT).'],
    [{ timeout: 0 }, 'timeout must be more than 0.'],
  ])('fails before it runs anything for %j', async (settings, error) => {
    const { outcome } = await fixture.run('js.run', { script: 'return input', ...settings });
    expect([outcome.error, asked]).toEqual([error, []]);
  });

  it('prints a text that a body returns without quotes', async () => {
    answer = { kind: 'returned', json: '"a\\nb"' };
    expect(await fixture.run('js.run', { script: 'x' })).toMatchObject({ stdout: 'a\nb\n' });
  });

  it.each([
    ['a.js', undefined, 'javascript'],
    ['a.mts', undefined, 'typescript'],
    ['a.ts', 'javascript', 'javascript'],
  ])('reads %s as %s', async (file, language, expected) => {
    await writeFile(fixture.path(file), '() => 1');
    await fixture.run('js.run', { file, ...(language === undefined ? {} : { language }) });
    expect(asked).toMatchObject([{ name: file, code: '() => 1', language: expected }]);
  });

  it('publishes the keys of an object and prints it', async () => {
    answer = { kind: 'returned', json: '{"a":1,"__proto__":[2]}' };
    const { outcome, stdout, stderr } = await fixture.run('js.run', { code: 'x' });

    const declared = [
      { name: 'a', value: 1 },
      { name: '__proto__', value: [2] },
    ];
    expect(outcome).toEqual({ status: 'succeeded', outputs: { fields: [], declared } });
    expect([stdout, stderr]).toEqual(['{"a":1,"__proto__":[2]}\n', '']);
  });

  it.each(['7', '"text"', '[{"a":1}]', 'null'])('only prints %s', async (json) => {
    answer = { kind: 'returned', json };
    const { outcome, stdout } = await fixture.run('js.run', { code: 'x' });
    expect([outcome, stdout]).toEqual([{ status: 'succeeded' }, `${json}\n`]);
  });

  it('prints nothing for a function that returns nothing', async () => {
    expect(await fixture.run('js.run', { code: 'x' })).toMatchObject({ outcome: { status: 'succeeded' }, stdout: '' });
  });

  it('writes the output of the function to the logs', async () => {
    printed = [
      { stream: 'stdout', text: 'one\n' },
      { stream: 'stderr', text: 'two\nthree\n' },
    ];
    expect(await fixture.run('js.run', { code: 'x' })).toMatchObject({ stdout: 'one\n', stderr: 'two\nthree\n' });
  });

  it('fails with the message, with the stack in standard error', async () => {
    answer = { kind: 'failed', error: 'Error: boom', stack: 'Error: boom\n    at js.run:1:1' };
    const { outcome, stderr } = await fixture.run('js.run', { code: 'x' });
    expect(outcome).toMatchObject({ status: 'failed', error: 'Error: boom' });
    expect(stderr).toBe('Error: boom\n    at js.run:1:1\n');
  });

  it('fails for outputs that are too large together, for a missing file, and without threads', async () => {
    answer = { kind: 'returned', json: '{"a":"12345678"}' };
    const large = await fixture.run('js.run', { code: 'x' }, { maxOutputBytes: 8 });
    expect(large.outcome.error).toBe('The outputs of the step are larger than 8 bytes.');
    expect((await fixture.run('js.run', { file: 'none.js' })).outcome.error).toBe('file was not found (ENOENT).');
    const without = await actionFixture();
    expect((await without.run('js.run', { code: 'x' })).outcome.status).toBe('failed');
    await without.remove();
  });

  it('is aborted with the run', async () => {
    const stop = new AbortController();
    const stopping = await actionFixture({
      runJs: () => {
        stop.abort();
        return Promise.reject(new Error('stopped'));
      },
    });
    const { outcome } = await stopping.run('js.run', { code: 'x' }, { signal: stop.signal });
    expect(outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
    await stopping.remove();
  });
});
