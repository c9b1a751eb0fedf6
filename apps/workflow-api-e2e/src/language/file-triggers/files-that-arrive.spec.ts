import { mkdir, writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../../support/databases';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import type { Weir } from '../../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir | undefined;

  afterEach(() => weir?.dispose());

  it('starts a run for each file that arrives, also after kill -9 and downtime, and none twice', async () => {
    const first = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    weir = first;
    const token = await setUpAdmin(first);
    const folder = first.home.file('in');
    await mkdir(folder);
    const spec = `triggers: [{files: "${folder}/*.csv", quiet: 1s}]\nsteps:\n  - run: cat "$WEIR_TRIGGER_FILE"\n    output: TEXT\n`;
    await first.createClient(token).createNewDag({ body: { name: 'load', spec } });
    const listRuns = async (server: Weir) =>
      (await server.createClient(token).listDagRuns({ query: { name: 'load' } })).dagRuns;
    const runsOf = (server: Weir, count: number) =>
      waitFor(
        async () => {
          const runs = await listRuns(server);
          return runs.length >= count ? runs : undefined;
        },
        { what: `${count} runs` },
      );

    await writeFile(`${folder}/a.csv`, 'one');
    const [run] = await runsOf(first, 1);
    expect(run).toMatchObject({ triggerType: 'file' });
    await expect(endOfRun(first, token, 'load', run?.dagRunId ?? '')).resolves.toMatchObject({
      statusLabel: 'succeeded',
    });

    // The server is killed while the file is not quiet yet, and another file arrives while no server is there.
    await writeFile(`${folder}/b.csv`, 'two');
    await first.process.stop({ signal: 'SIGKILL' });
    await writeFile(`${folder}/c.csv`, 'three');
    const second = await first.restart();
    weir = second;
    await runsOf(second, 3);

    await writeFile(`${folder}/d.csv`, 'four');
    await expect(runsOf(second, 4)).resolves.toHaveLength(4);
    const { body } = await second.request('GET', '/dags/load/explain', { token });
    const { files } = body as { readonly files: readonly { readonly state: string; readonly dagRunId: string }[] };
    expect(files.map(({ state }) => state)).toEqual(['started', 'started', 'started', 'started']);
    expect(new Set(files.map(({ dagRunId }) => dagRunId)).size).toBe(4);
  }, 90_000);
});
