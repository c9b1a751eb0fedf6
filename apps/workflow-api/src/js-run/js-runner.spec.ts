import { fork } from 'node:child_process';
import { once } from 'node:events';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import type { JsCall, JsPrinted } from './js-call';
import { bundleJsRun, type JsRunFiles } from '../testing/bundle-js-run';
import { JsPool, type JsRunner } from './js-pool';
import { createJsRunner } from './js-runner';

const { signal } = new AbortController();
let folder: TemporaryFolder;
let files: JsRunFiles;
let runner: JsRunner;

beforeAll(async () => {
  folder = temporaryFolder();
  files = await bundleJsRun(folder);
  runner = createJsRunner(files);
}, 60_000);
afterAll(async () => {
  await runner.stop();
  await folder.remove();
});

const usual: Omit<JsCall, 'code'> = {
  form: 'function',
  name: 'js.run',
  language: 'javascript',
  input: null,
  timeoutMs: 20_000,
  memoryMb: 256,
  maxBytes: 100_000,
};

async function run(code: string, more: Partial<JsCall> = {}, on: Pick<JsRunner, 'run'> = runner) {
  const printed: JsPrinted[] = [];
  const answer = await on.run({ ...usual, code, ...more }, { signal, onPrinted: (each) => void printed.push(each) });
  const printedTo = (stream: string) => printed.flatMap((each) => (each.stream === stream ? each.text : [])).join('');
  return { answer, stdout: printedTo('stdout'), stderr: printedTo('stderr') };
}

describe('a function', () => {
  it.each<readonly [string, string, unknown, string | undefined]>([
    ['an expression', '({ a }) => ({ b: a + 1 })', { a: 1 }, '{"b":2}'],
    ['one with a semicolon and a comment', '// adds\n(a) => a + 1; // done', 1, '2'],
    ['a function with a name', 'function twice(a) { return 2 * a; }', 4, '8'],
    ['an async function', 'async (a) => { const b = await a; return [b]; }', 1, '[1]'],
    ['a module', 'const add = 2;\nexport default (a) => a + add;', 1, '3'],
    [
      'a module whose function is used above',
      'const f = (a) => g(a);\nexport default function g(a) { return a > 3 ? a : f(a + 1); }',
      1,
      '4',
    ],
    ['a module of an anonymous function', 'export default async function (a) { return a; }', 'x', '"x"'],
    [
      'the words in a comment and a string',
      '// export default 1\nconst s = "export default 2";\nexport default () => s',
      0,
      '"export default 2"',
    ],
    ['nothing', '() => {}', 0, undefined],
    ['null', '() => null', 0, 'null'],
    ['what JSON leaves out', '() => ({ a: undefined, b: new Date(0) })', 0, '{"b":"1970-01-01T00:00:00.000Z"}'],
    ['the realm of the input', '(a) => a instanceof Array && a.constructor === Array', [1], 'true'],
    [
      'no way to Node',
      '() => [typeof process, typeof require, typeof WebAssembly, typeof console.log.constructor("return this")().process]',
      0,
      '["undefined","undefined","undefined","undefined"]',
    ],
  ])('may be %s', async (_, code, input, json) => {
    const { answer } = await run(code, { input: input as JsCall['input'] });
    expect(answer).toEqual(json === undefined ? { kind: 'returned' } : { kind: 'returned', json });
  });

  it('may be TypeScript', async () => {
    const code = 'interface A { readonly n: number }\nexport default ({ n }: A): number => (n as number) + 1;';
    expect((await run(code, { language: 'typescript', input: { n: 1 } })).answer).toEqual({
      kind: 'returned',
      json: '2',
    });
    const expression = '(items: readonly string[]) => items.length';
    expect((await run(expression, { language: 'typescript', input: ['a'] })).answer).toMatchObject({ json: '1' });
  });

  it('leaves nothing for the next call', async () => {
    const code =
      'let calls = 0;\nexport default () => { calls += 1; globalThis.seen = (globalThis.seen ?? 0) + 1; Array.prototype.x = 1 + ([].x ?? 0); return [calls, seen, [].x]; }';
    const pool = new JsPool({ ...files, threads: 1 });
    try {
      for (let call = 0; call < 3; call += 1)
        expect((await run(code, {}, pool)).answer).toMatchObject({ json: '[1,1,1]' });
    } finally {
      await pool.stop();
    }
  });
});

describe('the body of a function', () => {
  it.each<readonly [string, string, unknown, string | undefined]>([
    [
      'the input',
      'const { a } = input;\nreturn { b: a + 1, list: [a] };',
      { a: 1 },
      '{\n  "b": 2,\n  "list": [\n    1\n  ]\n}',
    ],
    ['no input', 'return typeof input', undefined, '"undefined"'],
    ['no value', 'input.a = 1; // nothing', {}, undefined],
    [
      'what JSON leaves out',
      'return { f() {}, n: NaN, d: new Date(0) }',
      0,
      '{\n  "n": null,\n  "d": "1970-01-01T00:00:00.000Z"\n}',
    ],
    ['a function', 'return () => 1', 0, undefined],
    ['a promise', 'return (await Promise.resolve(input)) + 1', 1, '2'],
    ['a variable that is not declared', 'total = 1; return total', 0, '1'],
    [
      'URLs',
      'const url = new URL("../b?x=1#h", input); url.searchParams.append("y", "a b"); url.port = "81";\n' +
        'url.searchParams.set("x", 2); const { href, origin, hash } = url;\n' +
        'return [href, origin, hash, URL.canParse("/"), [...new URLSearchParams({ q: "ä" })].join(), url].join(" ")',
      'https://u@example.org/a/c',
      '"https://u@example.org:81/b?x=2&y=a+b#h https://example.org:81 #h false q,ä https://u@example.org:81/b?x=2&y=a+b#h"',
    ],
    [
      'no way out by a URL',
      'const kinds = [URL, URLSearchParams, new URL("a:b").searchParams.get]; try { new URL("") } catch (error) { kinds.push(error.constructor) }\n' +
        'return kinds.map((kind) => kind.constructor("return typeof process")()).join()',
      0,
      '"undefined,undefined,undefined,undefined"',
    ],
  ])('sees and returns %s', async (_, code, input, json) => {
    const { answer } = await run(code, { form: 'body', input: input as JsCall['input'] });
    expect(answer).toEqual(json === undefined ? { kind: 'returned' } : { kind: 'returned', json });
  });

  it('prints everything to standard error, and is reported with its own lines', async () => {
    const body = 'console.log("seen");\n\nthrow new Error("boom")';
    const { answer, stdout, stderr } = await run(body, { form: 'body' });
    expect([stdout, stderr]).toEqual(['', 'seen\n']);
    expect(answer).toMatchObject({ error: 'Error: boom', stack: expect.stringContaining('js.run:3:7') as string });
    const wrong = await run('const a = 1;\nreturn a b;', { form: 'body' });
    expect(wrong.answer).toMatchObject({ error: expect.stringContaining('(line 2)') as string });
  });
});

describe('a function that is wrong', () => {
  it.each<readonly [string, string, string]>([
    ['syntax', '(a) =>\n  a +', 'The code cannot be read: Unexpected token'],
    ['syntax in a module', 'const a = 1;\nexport default () => {\n  return a b;\n}', '(line 3)'],
    ['imports', 'import fs from "node:fs";\nexport default () => 1', 'Cannot use import statement'],
    ['no function', '42', 'not a function'],
    ['a throw', '() => { throw new TypeError("boom"); }', 'TypeError: boom'],
    ['a rejection', 'async () => { throw new Error("late"); }', 'Error: late'],
    ['a thrown text', '() => { throw "plain"; }', 'The function threw plain'],
    ['a thrown trap', '() => { throw { get message() { throw 1; } }; }', 'cannot be shown'],
    ['a BigInt', '() => ({ n: 1n })', 'The returned value holds a bigint at "n"'],
    ['a function inside', '() => [() => 1]', 'holds a function at "0"'],
    ['NaN', '() => NaN', 'holds NaN'],
    ['a Map', '() => ({ m: new Map() })', 'holds a Map at "m"'],
    ['a cycle', '() => { const a = { b: [] }; a.b.push(a); return a; }', 'holds itself at "0"'],
    ['too deep', '() => { let a = []; for (let i = 0; i < 9e3; i++) a = [a]; return a; }', 'nested deeper'],
    ['too large', '() => "x".repeat(100_000)', 'is larger than 100000 bytes'],
    ['a dynamic import', 'async () => import("node:fs")', 'TypeError'],
  ])('fails for %s', async (_, code, error) => {
    const { answer } = await run(code);
    expect(answer).toMatchObject({ kind: 'failed', error: expect.stringContaining(error) as string });
  });

  it('is reported with its own lines', async () => {
    const { answer } = await run('(a) => {\n  const inner = () => a.b.c;\n  return inner();\n}', { input: {} });
    expect(answer).toMatchObject({
      stack: expect.stringMatching(
        /^TypeError: .*\n {4}at inner \(js\.run:2:\d+\)\n {4}at js\.run:3:\d+$|js\.run:3:\d+\)$/,
      ) as string,
    });
  });

  it('refuses TypeScript that is more than types', async () => {
    const { answer } = await run('enum A { B }\nexport default () => A.B', { language: 'typescript' });
    expect(answer).toMatchObject({ error: expect.stringContaining('enum is not supported') as string });
  });
});

describe('console', () => {
  it('prints to the two streams in order, up to a limit', async () => {
    const { stdout, stderr, answer } = await run(
      '() => { console.log("a", { b: [1] }); console.error("bad %d", 3); for (let i = 0; i < 1e5; i++) console.log("line " + i); }',
      { maxBytes: 5_000 },
    );
    expect(stdout.startsWith('a { b: [ 1 ] }\nline 0\nline 1\n')).toBe(true);
    expect(stdout.length).toBeLessThanOrEqual(5_000);
    expect(stderr).toBe('bad 3\njs.run prints no more than 5000 characters.\n');
    expect(answer).toEqual({ kind: 'returned' });
  });

  it('has printed everything before an endless loop', async () => {
    const { stdout, answer } = await run('() => { console.log("here"); console.log("there"); for (;;); }', {
      timeoutMs: 300,
    });
    expect(stdout).toBe('here\nthere\n');
    expect(answer).toEqual({ kind: 'failed', error: 'The function took longer than 0.3 seconds.' });
  });

  it('reports an unhandled rejection', async () => {
    const { answer, stderr } = await run(
      'async () => { Promise.reject(new Error("lost")); await new Promise((done) => done()); return 1; }',
    );
    expect(answer).toMatchObject({ json: '1' });
    expect(['', 'Not caught: Error: lost\n']).toContain(stderr);
  });
});

describe('limits', () => {
  it('end one call and do not affect the others', async () => {
    const hung = run('() => { for (;;); }', { timeoutMs: 500 });
    const pending = run('() => new Promise(() => {})', { timeoutMs: 500 });
    await expect(run('() => 1')).resolves.toMatchObject({ answer: { json: '1' } });
    await expect(hung).resolves.toMatchObject({ answer: { error: 'The function took longer than 0.5 seconds.' } });
    await expect(pending).resolves.toMatchObject({ answer: { error: 'The function took longer than 0.5 seconds.' } });
    await expect(run('() => 2')).resolves.toMatchObject({ answer: { json: '2' } });
  });

  it.each([
    '() => { const a = []; for (;;) a.push({ a: 1 }); }',
    '() => { const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1)); }',
    '() => { const a = []; for (;;) a.push("x".repeat(1e6) + a.length); }',
  ])(
    'end %s by its memory',
    async (code) => {
      const { answer } = await run(code, { memoryMb: 64 });
      expect(answer).toEqual({ kind: 'failed', error: 'The function used more than 64 MB of memory.' });
    },
    30_000,
  );

  it('leave the server alive where V8 ends the process, and the next call gets a new one', async () => {
    const { answer } = await run('() => "x".repeat(5e8).split("").length', { memoryMb: 8_000 });
    expect(answer).toMatchObject({ kind: 'failed', error: expect.stringContaining('too much memory') as string });
    await expect(run('() => 3')).resolves.toMatchObject({ answer: { json: '3' } });
  });

  it('do not count garbage as used memory', async () => {
    const code = '() => { let kept; for (let i = 0; i < 3e6; i++) kept = [i, { i }]; return kept[0]; }';
    await expect(run(code, { memoryMb: 64 })).resolves.toMatchObject({ answer: { json: '2999999' } });
  });
});

describe('a stop', () => {
  it('ends a running call and a waiting one', async () => {
    const pool = new JsPool({ ...files, threads: 1, maxWaiting: 1 });
    const stop = new AbortController();
    const context = { signal: stop.signal, onPrinted: () => undefined };
    const running = pool.run({ ...usual, code: '() => { for (;;); }' }, context);
    const waiting = pool.run({ ...usual, code: '() => 1' }, context);
    await expect(pool.run({ ...usual, code: '() => 2' }, { ...context, signal })).resolves.toMatchObject({
      error: 'Too many functions wait for a thread.',
    });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await expect(waiting).rejects.toThrow('stopped');
    await expect(run('() => 4', {}, pool)).resolves.toMatchObject({ answer: { json: '4' } });
    await pool.stop();
    await expect(run('() => 5', {}, pool)).rejects.toThrow('stopping');
  });

  it('reaches the process of the functions', async () => {
    const stop = new AbortController();
    const code = '() => { console.log("up"); for (;;); }';
    const running = runner.run(
      { ...usual, code },
      { signal: stop.signal, onPrinted: () => stop.abort(new Error('stopped')) },
    );
    await expect(running).rejects.toThrow('stopped');
    await expect(run('() => 6')).resolves.toMatchObject({ answer: { json: '6' } });
  });

  it('makes room for a call that needs a larger thread', async () => {
    const pool = new JsPool({ ...files, threads: 1 });
    await run('() => 1', {}, pool);
    await expect(run('() => 7', { memoryMb: 4_000 }, pool)).resolves.toMatchObject({ answer: { json: '7' } });
    await pool.stop();
  });

  it('ends the process of the functions with its server, even if they are busy', async () => {
    const host = fork(files.hostFile, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const code = '() => { console.log("up"); for (;;); }';
    host.send({ kind: 'run', id: 1, call: { ...usual, code } });
    await once(host, 'message');
    host.kill('SIGTERM');
    const exited = once(host, 'exit');
    host.disconnect();
    await expect(exited).resolves.toEqual([0, null]);
  });
});
