import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { parseDag } from '@weir/workflow-spec';
import { createLogLimit } from '../../host/logs/log-limit';
import { confinedPath } from '../../host/artifacts/confined-path';
import { collectOutputs, type OutputContext } from './collect-outputs';
import { evaluateOutputs } from '../../values/outputs/evaluate-outputs';

const signal = new AbortController().signal;
const succeeded = { status: 'succeeded', exitCode: 0 } as const;
let folder: TemporaryFolder;
let context: OutputContext;

beforeEach(() => {
  folder = temporaryFolder();
  context = {
    stdoutFile: folder.file('a.out'),
    stderrFile: folder.file('a.err'),
    outputFile: folder.file('a.outputs'),
    resolvePath: (text) => path.resolve(folder.file('.'), text),
    resolveSource: (source) => source,
    resolveArtifact: (text) => confinedPath(folder.file('artifacts'), text, { makesFolders: true }),
    maxBytes: 100,
    evaluate: (request) => Promise.resolve(evaluateOutputs(request, () => [])),
  };
});
afterEach(() => folder.remove());

const stepWith = (keys: string) => {
  const [step] = parseDag(`steps:\n  - id: s\n    run: x\n    ${keys}\n`).dag.steps;
  if (step === undefined) throw new Error('The spec of this case has no step.');
  return step;
};
const collect = async (keys: string, write: () => void, outcome: Parameters<Collected['finish']>[0] = succeeded) => {
  const collection = await collectOutputs(stepWith(keys), context);
  write();
  return collection.finish(outcome, signal);
};
type Collected = Awaited<ReturnType<typeof collectOutputs>>;

describe('collectOutputs', () => {
  it('reads only the output of this attempt, trimmed', async () => {
    writeFileSync(context.stdoutFile, 'earlier attempt\n');
    const outcome = await collect('output: A', () => appendFileSync(context.stdoutFile, '  new ü \n\n'));
    expect(outcome).toEqual({
      ...succeeded,
      outputs: { variable: { name: 'A', value: 'new ü' }, fields: [], declared: [] },
    });
  });

  it.each(['output: A', 'output: {a: {from: stdout}}'])('fails for %s of a log that was cut', async (keys) => {
    const outcome = await collect(keys, () => {
      writeFileSync(context.stdoutFile, 'a long text');
      createLogLimit({ maxBytes: 6, maxRunBytes: 100, onExceeded: 'drop' }, '/none').cut([context.stdoutFile]);
    });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The standard output is not complete, because the log reached its limit.',
    });
  });

  it('ignores outputs that an earlier attempt declared', async () => {
    writeFileSync(context.outputFile, 'a=1\n');
    const outcome = await collect('outputs: [{name: a}]', () => undefined);
    expect(outcome).toMatchObject({ status: 'failed', exitCode: 0, error: 'The output "a" was not written.' });
  });

  it('combines declared outputs and fields', async () => {
    const outcome = await collect(
      '{output: {b: {from: stderr}, c: {from: file, path: c.txt}}, outputs: [{name: a}]}'
        .slice(1, -1)
        .replace(', outputs', '\n    outputs'),
      () => {
        writeFileSync(context.outputFile, 'a=1\n');
        writeFileSync(context.stderrFile, 'two\n');
        writeFileSync(folder.file('c.txt'), 'three');
      },
    );
    expect(outcome.outputs).toEqual({
      fields: [
        { name: 'b', value: 'two' },
        { name: 'c', value: 'three' },
      ],
      declared: [{ name: 'a', value: '1' }],
    });
  });

  it.each([
    ['output: A', () => 'x'.repeat(101), 'The standard output is larger than 100 bytes.'],
    ['output: A', () => 'a\0b', 'The standard output contains a NUL character.'],
    ['output: A', () => Buffer.from([0x61, 0xff]), 'The standard output is not UTF-8.'],
    ['output: {a: {from: stdout, decode: json}}', () => '{', 'The output "a" is not JSON.'],
    ['output: {a: {from: file, path: none}}', () => '', 'The file of an output cannot be read (ENOENT).'],
    ['output: {a: {from: file, path: .}}', () => '', 'The file of an output is no regular file.'],
    ['stdout: a.out', () => 'kept', 'The file of stdout is the log itself.'],
    ['stdout: folder', () => '', 'The file of stdout could not be written (EISDIR).'],
  ])('fails a step with %s if it cannot be read', async (keys, text, error) => {
    mkdirSync(folder.file('folder'));
    const outcome = await collect(keys, () => writeFileSync(context.stdoutFile, text()));
    expect(outcome).toMatchObject({ status: 'failed', exitCode: 0, error });
    expect(readFileSync(context.stdoutFile)).toEqual(Buffer.from(text()));
  });

  it('copies a stream of the attempt into a file, replacing its content', async () => {
    writeFileSync(context.stdoutFile, 'earlier');
    mkdirSync(folder.file('deep'));
    writeFileSync(folder.file('deep/copy'), 'something longer than what comes');
    await collect('stdout: deep/copy', () => appendFileSync(context.stdoutFile, 'now\n'));
    expect(readFileSync(folder.file('deep/copy'), 'utf8')).toBe('now\n');
  });

  it('keeps both streams when they are copied into the same file', async () => {
    await collect('stdout: copy\n    stderr: ./copy', () => {
      writeFileSync(context.stdoutFile, 'out\n');
      writeFileSync(context.stderrFile, 'err\n');
    });
    expect(readFileSync(folder.file('copy'), 'utf8')).toBe('out\nerr\n');
  });

  it('keeps the variable of a failed attempt, with its own error, and nothing else', async () => {
    const failed = { status: 'failed', exitCode: 3, error: 'exit status 3' } as const;
    const write = () => writeFileSync(context.stdoutFile, 'found 3');
    await expect(collect('output: A', write, failed)).resolves.toMatchObject({
      ...failed,
      outputs: { variable: { value: 'found 3' } },
    });
    await expect(collect('outputs: [{name: a}]', write, failed)).resolves.toEqual({
      ...failed,
      outputs: { fields: [], declared: [] },
    });
  });

  it('does not change the outcome of a step that publishes nothing', async () => {
    await expect(collect('env: {A: b}', () => undefined)).resolves.toBe(succeeded);
  });
});
