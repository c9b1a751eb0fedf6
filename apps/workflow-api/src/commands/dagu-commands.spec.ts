import { readFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { useCommands } from './testing/use-commands';

const { home, begin } = useCommands();
const end = async (words: readonly string[], env: Readonly<Record<string, string>>) => {
  const command = begin(words, env);
  return { exitCode: await command.exitCode, out: command.out(), errors: command.errors() };
};

describe('scripts that were written for Dagu', () => {
  const compat = { WEIR_COMPAT: 'dagu' };

  it('start, list and remove runs with its variables and flags', async () => {
    const env = { ...compat, WEIR_HOME: '', DAGU_HOME: home().path };
    await expect(end(['start', '-q', '--request-id=one', '-p=who=me', 'hello'], env)).resolves.toEqual({
      exitCode: 0,
      out: '',
      errors: '',
    });
    await expect(readFile(home().file('dags', 'said'), 'utf8')).resolves.toBe('hello me\n');
    expect((await end(['history', '-l', '1', '-f', 'json', 'hello'], env)).out).toContain('"one"');
    await expect(end(['cleanup', '-y', 'hello'], env)).resolves.toMatchObject({ exitCode: 0 });
    expect((await end(['history', 'hello'], env)).out).not.toContain('one');
  });

  it('serve with its flags, and without the web interface', async () => {
    const env = { ...compat, DAGU_HEADLESS: 'true', DAGU_AUTH_MODE: 'none', DAGU_SKIP_EXAMPLES: 'true' };
    const server = begin(['start-all', '-p', '0', '-d', home().file('dags'), '-q'], env);
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });
    server.signals.emit('SIGTERM');
    await expect(server.exitCode).resolves.toBe(0);
  });

  it('get a warning about variables that are not read without the switch, and still run', async () => {
    await expect(end(['start', 'hello'], { DAGU_PORT: '1' })).resolves.toMatchObject({
      exitCode: 0,
      errors: expect.stringMatching(/^weir: warning: DAGU_PORT is set and not read: set WEIR_PORT/) as string,
    });
  });

  it('do not serve when they would lose a protection', async () => {
    await expect(end(['server'], { ...compat, DAGU_CERT_FILE: '/x' })).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('DAGU_CERT_FILE has no effect here, so nothing is served') as string,
    });
  });
});
