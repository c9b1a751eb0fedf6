import { parseDag, type Step } from '@weir/workflow-spec';
import { outputStreams, streamCopies } from './stream-copies';

const separate = { stdoutFile: '/l/0000-a.out', stderrFile: '/l/0000-a.err' };
const merged = { stdoutFile: '/l/0000-a.log', stderrFile: '/l/0000-a.log' };
const copies = { stdoutFile: '/l/0000-a.stdout', stderrFile: '/l/0000-a.stderr' };

function parseStep(text: string): Step {
  const [step] = parseDag(`steps:\n  - {id: a, run: echo${text}}\n`).dag.steps;
  if (step === undefined) throw new Error('There is no step.');
  return step;
}

describe('streamCopies', () => {
  it.each([
    ['nothing is taken from', '', {}],
    ['a variable is taken from', ', output: A', { stdoutFile: copies.stdoutFile }],
    ['a schema is for', ', output_schema: {type: object}', { stdoutFile: copies.stdoutFile }],
    ['a value is taken from', ', output: {a: {from: stdout}}', { stdoutFile: copies.stdoutFile }],
    ['a value is taken from the error of', ', output: {a: {from: stderr}}', { stderrFile: copies.stderrFile }],
    ['a file has nothing to do with', ', output: {a: {from: file, path: x}}', {}],
    ['files are filled with', ', stdout: x, stderr: y', copies],
  ])('has the copies for a stream that %s', (_, text, expected) => {
    expect(streamCopies(parseStep(text), merged)).toEqual(expected);
  });

  it('copies nothing with a log for each stream', () => {
    expect(streamCopies(parseStep(', output: A, stderr: y'), separate)).toEqual({});
  });
});

describe('outputStreams', () => {
  it('returns the logs, or the copies', () => {
    expect(outputStreams(parseStep(', output: A'), separate)).toEqual(separate);
    expect(outputStreams(parseStep(', output: A'), merged)).toEqual({ ...merged, stdoutFile: copies.stdoutFile });
  });
});
