import { access, writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { useCommands } from './testing/use-commands';

const { home, begin, run } = useCommands();

/** A run that lasts until the file `go` is there. */
const held = 'working_dir: .\nsteps:\n  - {name: hold, run: "touch held; until [ -e go ]; do sleep 0.05; done"}\n';
const exists = (name: string) =>
  access(home().file('dags', name)).then(
    () => true,
    () => false,
  );

async function beginHeld() {
  await writeFile(home().file('dags', 'held.yaml'), held);
  const command = begin(['start', 'held', '--run-id', 'first']);
  await waitFor(() => exists('held'), { what: 'the first run' });
  return {
    command,
    end: async () => {
      await writeFile(home().file('dags', 'go'), '');
      await expect(command.exitCode).resolves.toBe(0);
      expect(command.out()).toContain('held first: succeeded');
    },
  };
}

describe('weir start beside other processes of the installation', () => {
  it('executes four runs at once, in a new folder', async () => {
    const commands = [1, 2, 3, 4].map((id) => begin(['start', 'hello', '--run-id', `r${id}`]));
    const ended = await Promise.all(commands.map(({ exitCode }) => exitCode));

    expect(commands.map(({ errors }) => errors())).toEqual(['', '', '', '']);
    expect(ended).toEqual([0, 0, 0, 0]);
    expect((await run('history', 'hello')).out.match(/succeeded/g)).toHaveLength(4);
  });

  it('executes a run while another process executes one, which other commands see and stop', async () => {
    const first = await beginHeld();

    await expect(run('start', 'hello')).resolves.toMatchObject({ exitCode: 0, errors: '' });
    expect((await run('ps')).out).toContain('first');
    await expect(run('stop', '--run-id', 'first', 'held')).resolves.toMatchObject({ exitCode: 0 });
    await expect(first.command.exitCode).resolves.toBe(1);
    expect(first.command.out()).toContain('held first: aborted');
  });

  it.each([
    ['start-all', ['start-all', '--port', '0'], 'Weir is up'],
    ['scheduler', ['scheduler'], 'Weir follows'],
  ])('lets %s begin, which leaves the run to its owner', async (_, words, isUp) => {
    const first = await beginHeld();
    const server = begin(words, { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' });
    await waitFor(() => server.out().includes(isUp), { what: 'the server' });

    await expect(run('start', 'hello')).resolves.toMatchObject({ exitCode: 0, errors: '' });
    expect((await run('status', 'held')).out).toContain('running');
    await first.end();
    server.signals.emit('SIGTERM');
    await expect(server.exitCode).resolves.toBe(0);
  });

  it('executes a run itself beside a server without a worker', async () => {
    const server = begin(['server', '--port', '0'], { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' });
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });

    await expect(run('start', 'hello')).resolves.toMatchObject({ exitCode: 0, errors: '' });
    server.signals.emit('SIGTERM');
    await expect(server.exitCode).resolves.toBe(0);
  });
});
