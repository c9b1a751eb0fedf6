import { useCommands } from './testing/use-commands';

const { begin, run } = useCommands();

describe('weir', () => {
  it.each([
    ['without a command', []],
    ['with an unknown command', ['nothing']],
    ['with an unknown option', ['version', '--nothing']],
    ['without what is needed', ['start']],
  ])('prints the usage as an error %s', async (_, words) => {
    const { exitCode, out, errors } = await run(...words);

    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(errors).toContain('Usage: weir');
  });

  it('prints its version', async () => {
    await expect(run('version')).resolves.toEqual({ exitCode: 0, out: '1.2.3', errors: '' });
  });

  it('names every wrong variable', async () => {
    const command = begin(['server'], { WEIR_PORT: 'x', WEIR_AUTH_MODE: 'y' });

    await expect(command.exitCode).resolves.toBe(1);
    expect(command.errors()).toMatch(/WEIR_PORT: .*\nWEIR_AUTH_MODE: /);
  });
});
