import { useCommands } from '../testing/use-commands';

const { begin, run } = useCommands();

describe('weir', () => {
  it('greets without a command', async () => {
    const { exitCode, out, errors } = await run();

    expect([exitCode, errors]).toEqual([0, '']);
    expect(out).toMatch(/^Weir 1\.2\.3 /);
    expect(out).toContain('weir start-all');
  });

  it.each([
    ['an unknown command', ['strat'], "error: unknown command 'strat'\n(Did you mean start?)"],
    ['an unknown option', ['version', '--nothing'], "error: unknown option '--nothing'"],
    ['a missing argument', ['start'], "error: missing required argument 'dag'"],
  ])('refuses %s with one line, and a suggestion where there is one', async (_, words, errors) => {
    await expect(run(...words)).resolves.toEqual({ exitCode: 1, out: '', errors });
  });

  it.each(['version', '--version', '-v'])('prints its version for %s', async (word) => {
    await expect(run(word)).resolves.toEqual({ exitCode: 0, out: '1.2.3', errors: '' });
  });

  it('names every wrong variable', async () => {
    const command = begin(['server'], { WEIR_PORT: 'x', WEIR_AUTH_MODE: 'y' });

    await expect(command.exitCode).resolves.toBe(1);
    expect(command.errors()).toMatch(/WEIR_PORT: .*\nWEIR_AUTH_MODE: /);
  });
});
