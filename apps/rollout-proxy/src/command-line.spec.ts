import { readCommandLine } from './command-line';
import { variables } from './config';

function read(...words: readonly string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const line = readCommandLine(words, {
    version: '1.2.3',
    variables,
    print: (text) => void out.push(text),
    printError: (text) => void errors.push(text),
  });
  return { line, out: out.join('\n'), errors: errors.join('\n') };
}

describe('the command line', () => {
  it('starts without options', () => {
    expect(read()).toEqual({ line: { env: {} }, out: '', errors: '' });
  });

  it('accepts host and port', () => {
    expect(read('--host', '0.0.0.0', '--port', '0').line).toEqual({
      env: { ROLLOUT_HOST: '0.0.0.0', ROLLOUT_PORT: '0' },
    });
  });

  it('prints its options and every variable, and starts nothing', () => {
    const { line, out } = read('--help');

    expect(line).toEqual({ exitCode: 0 });
    expect(out).toContain('Usage: rollout-proxy');
    for (const name of Object.keys(variables)) expect(out).toContain(`\n  ${name}\n`);
  });

  it('prints its version', () => {
    expect(read('--version')).toEqual({ line: { exitCode: 0 }, out: '1.2.3', errors: '' });
  });

  it.each([
    ['--prot', "error: unknown option '--prot'\n(Did you mean --port?)"],
    ['serve', 'error: too many arguments. Expected 0 arguments but got 1: serve.'],
    ['--port', "error: option '--port <number>' argument missing"],
  ])('refuses %s with one line', (word, message) => {
    const { line, out, errors } = read(word);

    expect([line, out]).toEqual([{ exitCode: 1 }, '']);
    expect(errors).toContain(message);
  });
});
