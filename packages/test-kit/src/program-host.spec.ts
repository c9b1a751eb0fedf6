import { writeFileSync } from 'node:fs';
import { startHostedProgram } from './program-host';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder';

const program = `
exports.runCommand = async ([word, ...rest], { env, print, printError, signals, userHome, workingDirectory }) => {
  if (word === 'env') print(JSON.stringify({ env, userHome, workingDirectory, pid: process.pid }));
  if (word === 'crash') process.exit(3);
  if (word === 'serve') {
    const stopped = new Promise((resolve) => setImmediate(() => signals.on('SIGTERM', resolve)));
    print('up');
    await stopped;
    printError('stopped');
    return 7;
  }
  return 0;
};
`;

let folder: TemporaryFolder;
const start = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startHostedProgram({ module: folder.file('program.cjs'), words, env, userHome: folder.path });

beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(folder.file('program.cjs'), program);
});
afterAll(() => folder.remove());

interface Seen {
  readonly env: unknown;
  readonly userHome: string;
  readonly workingDirectory: string;
  readonly pid: number;
}

async function see(env: Readonly<Record<string, string>>): Promise<Seen> {
  const seen = start(['env'], env);
  await expect(seen.exited).resolves.toEqual({ code: 0, signal: null });
  return JSON.parse(seen.stdout()) as Seen;
}

describe('a hosted program', () => {
  it('has variables and folders of its own, in one process with the others', async () => {
    const [one, other] = [await see({ A: 'one' }), await see({ B: 'other' })];

    expect(one).toMatchObject({ env: { PATH: process.env.PATH, A: 'one' }, userHome: folder.path });
    expect(other).toMatchObject({ env: { PATH: process.env.PATH, B: 'other' }, workingDirectory: folder.path });
    expect(other.pid).toBe(one.pid);
    expect((await see({ NODE_OPTIONS: '' })).pid).not.toBe(one.pid);
  });

  it('receives the signal that stops it, even before it listens', async () => {
    const served = start(['serve']);
    await served.waitForOutput('up');

    await expect(served.stop()).resolves.toEqual({ code: 7, signal: null });
    expect([served.stderr(), served.isRunning()]).toEqual(['stopped\n', false]);
    await expect(served.stop()).resolves.toEqual({ code: 7, signal: null });
  });

  it('cannot be killed, and reports what a spec must use instead', async () => {
    const served = start(['serve']);

    await expect(served.stop({ signal: 'SIGKILL' })).rejects.toThrow('ownProcess: true');
    await served.stop();
  });

  it('ends with the shared process, which the next one replaces', async () => {
    const served = start(['serve']);
    await served.waitForOutput('up');

    await expect(start(['crash']).exited).resolves.toEqual({ code: 3, signal: null });
    await expect(served.exited).resolves.toEqual({ code: 3, signal: null });
    await expect(start(['env']).exited).resolves.toEqual({ code: 0, signal: null });
  });
});
