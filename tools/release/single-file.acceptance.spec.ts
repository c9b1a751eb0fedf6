import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeUnless, spawnProcess, temporaryFolder, waitFor } from '@weir/test-kit';
import { buildSingleFile, singleFile } from './single-file';

const root = path.resolve(__dirname, '../..');
const missing = process.platform === 'linux' && process.arch === 'x64' ? undefined : 'the file is for Linux on x64';
const deadlineMs = 120_000;
/** It takes half a minute of processor time, and several times that beside the other specs of a whole run. */
const buildDeadlineMs = 400_000;

describeUnless(missing, 'nothing was started')('the workflow server as one file', () => {
  const folder = temporaryFolder();
  const command = folder.file(singleFile);
  // No Node is found in it.
  const env = { PATH: folder.file('programs'), HOME: folder.file('home'), WEIR_SKIP_EXAMPLES: 'true' };
  beforeAll(async () => {
    for (const name of ['programs', 'home']) mkdirSync(folder.file(name));
    const programs = ['mkdir', 'mktemp', 'tail', 'tar', 'gzip', 'mv', 'rm', 'find', 'sh', 'echo'];
    execFileSync('ln', ['--symbolic', ...programs.map((name) => `/bin/${name}`), env.PATH]);
    await buildSingleFile({ root, output: folder.path });
  }, buildDeadlineMs);
  afterAll(() => folder.remove());
  const run = (args: readonly string[]) => spawnProcess({ command, args, env, deadlineMs });

  it('unpacks once for first starts at the same time, and leaves nothing else, not of a start that was killed either', async () => {
    mkdirSync(folder.file('home/.cache/weir/draft-killed'), { recursive: true });
    utimesSync(folder.file('home/.cache/weir/draft-killed'), new Date(0), new Date(0));
    const starts = await Promise.all([1, 2, 3].map(() => run(['version'])));

    for (const each of starts) {
      await expect(each.exited).resolves.toMatchObject({ code: 0 });
      expect(each.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/);
    }
    expect(readdirSync(folder.file('home/.cache/weir')).filter((name) => !/^v\d/.test(name))).toEqual([
      expect.stringMatching(/^program-[0-9a-f]{16}$/),
    ]);
  });

  it('executes a DAG, whose steps are processes', async () => {
    writeFileSync(folder.file('two.yaml'), 'steps:\n  - run: echo one\n  - run: exit 3\n');
    const started = await run(['start', folder.file('two.yaml')]);

    await expect(started.exited).resolves.toMatchObject({ code: 1 });
    expect(started.stdout() + started.stderr()).toMatch(/step_1: succeeded[^]*step_2: failed .*exit status 3/);
  });

  it('serves', async () => {
    const args = ['start-all', '--port', '0'];
    const server = await run(args);
    const isUp = () => /Weir is up: (\S+)/.exec(server.stdout())?.[1];
    const url = await waitFor(isUp, { what: 'the server', deadlineMs });

    expect((await fetch(new URL('/api/v1/health', url))).status).toBe(200);
    await server.stop();
  });
});
