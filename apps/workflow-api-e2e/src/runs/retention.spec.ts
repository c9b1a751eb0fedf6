import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../support/weir-command';

describe('runs that are not retained', () => {
  let home: TemporaryFolder;
  let folder: string;

  beforeEach(async () => {
    home = temporaryFolder();
    folder = home.file('work');
    await mkdir(folder);
  });
  afterEach(() => home.remove());

  const weir = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runWeir(args, { folder, home, deadlineMs: 30_000 });
    if (code !== 0) throw new Error(`"weir ${args.join(' ')}" ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  };
  const add = (name: string, spec: string): Promise<void> => writeFile(`${folder}/${name}.yaml`, spec);
  const start = (name: string, id: string) => weir('start', `${name}.yaml`, '--run-id', id);
  const listIds = async (name: string): Promise<readonly string[]> => {
    const { runs } = JSON.parse(await weir('history', name, '--format', 'json')) as {
      runs: { dagRunId: string }[];
    };
    return runs.map(({ dagRunId }) => dagRunId);
  };
  /** Run folders of the DAG below a folder of the installation. */
  const listFolders = (name: string, ...parts: readonly string[]): readonly string[] => {
    const parent = home.file('weir', ...parts, name);
    return existsSync(parent) ? readdirSync(parent) : [];
  };

  it('are removed with logs and artifacts when the DAG keeps a number of runs', async () => {
    const step = 'run: echo "$DAG_RUN_ID" > "$DAG_RUN_ARTIFACTS_DIR/id"';
    await add('counted', `hist_retention_runs: 2\nartifacts: { enabled: true }\nsteps:\n  - ${step}\n`);
    for (const id of ['one', 'two', 'three', 'four']) await start('counted', id);

    expect(await listIds('counted')).toEqual(['four', 'three']);
    expect(listFolders('counted', 'logs')).toHaveLength(2);
    expect(listFolders('counted', 'data', 'runs')).toHaveLength(2);
  }, 60_000);

  it('are removed at the next start when the DAG keeps zero days', async () => {
    await add('today', 'hist_retention_days: 0\nsteps:\n  - run: echo hello\n');
    for (const id of ['one', 'two']) await start('today', id);

    expect(await listIds('today')).toEqual(['two']);
  }, 60_000);

  it('are kept for 30 days by default', async () => {
    await add('kept', 'steps:\n  - run: echo hello\n');
    for (const id of ['one', 'two', 'three']) await start('kept', id);

    expect(await listIds('kept')).toHaveLength(3);
  }, 60_000);

  it('are removed with the runs below them', async () => {
    const parent = 'hist_retention_runs: 1\nsteps:\n  - action: dag.run\n    with: { dag: child }\n';
    await add('family', `${parent}---\nname: child\nsteps:\n  - run: echo hello\n`);
    for (const id of ['one', 'two']) await start('family', id);

    expect(await listIds('family')).toEqual(['two']);
    expect(listFolders('child', 'logs')).toHaveLength(1);
  }, 60_000);

  it('do not affect the runs of other DAGs', async () => {
    await add('counted', 'hist_retention_runs: 1\nsteps:\n  - run: echo hello\n');
    await add('other', 'steps:\n  - run: echo hello\n');
    await start('other', 'first');
    for (const id of ['one', 'two']) await start('counted', id);

    expect(await listIds('other')).toEqual(['first']);
    expect(await listIds('counted')).toEqual(['two']);
  }, 60_000);
});
