import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRecordingLogger, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { createScheduleTimes } from '@weir/workflow-spec/schedule';
import { systemClock } from '../../adapters/clock';
import { systemRandom } from '../../adapters/random-source';
import { createInlineParser, createSpecReader } from '../../dag-parser';
import { DagCatalog } from './dag-catalog';
import { createBaseConfigs } from './base-configs';
import { createDagFileStore, type DagFileStore } from './dag-file-store';
import { createFolderWatch } from './folder-watch';
import { createInMemoryDagFlagRepository } from './in-memory-dag-flag-repository';
import { createSuspensions } from './suspensions';

let folder: TemporaryFolder;
let catalogs: DagCatalog[];

beforeEach(() => {
  folder = temporaryFolder();
  catalogs = [];
});
afterEach(async () => {
  await Promise.all(catalogs.map((catalog) => catalog.stop()));
  await folder.remove();
});

const spec = (rest = ''): string => `${rest}steps:\n  - run: "true"\n`;
const write = (name: string, text = spec()) => writeFile(folder.file(name), text);
const open = async (
  options: {
    readonly store?: Partial<DagFileStore>;
    readonly rescanMs?: number;
    readonly firstScanTimeoutMs?: number;
  } = {},
) => {
  const clock = systemClock;
  const { store, ...rest } = options;
  const base = createBaseConfigs({ file: folder.file('base.conf'), isRequired: false, dagsFolder: folder.path });
  const catalog = new DagCatalog({
    store: { ...createDagFileStore({ folder: folder.path, random: systemRandom }), ...store },
    suspensions: createSuspensions({ flags: createInMemoryDagFlagRepository(), clock }),
    specs: createSpecReader(createInlineParser(), base),
    base,
    times: createScheduleTimes(),
    clock,
    logger: createRecordingLogger(),
    ...rest,
  });
  catalogs.push(catalog);
  await catalog.start();
  return catalog;
};
const listNames = (catalog: DagCatalog) => catalog.entries.all().map(({ dag }) => dag.name);
const toShow = (catalog: DagCatalog, expected: readonly string[]) =>
  waitFor(() => listNames(catalog).join() === expected.join(), { what: `the catalog to show ${expected.join()}` });

describe('the catalog', () => {
  it('notifies a follower of all entries and then of every change, until it unsubscribes', async () => {
    await write('a.yaml');
    const catalog = await open();
    await catalog.ready();
    const told: string[] = [];
    const unfollow = catalog.follow((fileName, entry) => told.push(`${fileName} ${entry?.dag.group ?? '-'}`));
    await write('b.yaml', spec('group: ops\n'));
    await catalog.index('b');
    await rm(folder.file('b.yaml'));
    await catalog.index('b');
    unfollow();
    await write('c.yaml');
    await catalog.index('c');

    expect(told.filter((one, index) => one !== told[index - 1])).toEqual(['a -', 'b ops', 'b -']);
  });

  it('reads every file again when a base configuration changes', async () => {
    await write('a.yaml');
    await write('b.yaml', spec('labels: workspace=sales\n'));
    const catalog = await open();
    await catalog.ready();
    const groups = () => catalog.entries.all().map(({ dag }) => dag.group);
    expect(groups()).toEqual([undefined, undefined]);

    await write('base.conf', 'group: everything\n');
    await waitFor(() => groups().join() === 'everything,everything', { what: 'the base configuration' });
    await mkdir(folder.file('workspaces', 'sales'), { recursive: true });
    await write('workspaces/sales/base.yaml', 'group: money\n');
    await waitFor(() => groups().join() === 'everything,money', { what: 'the one of the workspace' });
    await write('base.conf', 'groop: everything\n');
    await waitFor(() => catalog.entries.all().every(({ errors }) => errors.length === 1), { what: 'its error' });
    expect(catalog.entries.all()[0]?.errors).toEqual([
      expect.stringMatching(/^\[1:1\] the base configuration .*base\.conf cannot be used: \[1:1\] .*groop/),
    ]);
  });

  it('reads the files of the top level, prefers .yaml, and reports the names that it omits', async () => {
    await write('a.yaml');
    await write('b.yml');
    await write('b.yaml', spec('name: from-yaml\n'));
    await write('my dag.yaml');
    await write('notes.txt');
    await mkdir(folder.file('sub.yaml'));
    await mkdir(folder.file('sub'));
    await writeFile(folder.file('sub', 'deep.yaml'), spec());
    const catalog = await open();
    await catalog.ready();

    expect(listNames(catalog)).toEqual(['a', 'from-yaml']);
    expect(catalog.problems).toEqual([expect.stringContaining('"my dag"')]);
  });

  it('indexes files that are created, changed, renamed and removed', async () => {
    await write('a.yaml');
    const catalog = await open();
    await catalog.ready();
    await write('b.yaml');
    await toShow(catalog, ['a', 'b']);
    await write('a.yaml', spec('name: changed\n'));
    await toShow(catalog, ['b', 'changed']);
    await rename(folder.file('b.yaml'), folder.file('z.yaml'));
    await toShow(catalog, ['changed', 'z']);
    await rm(folder.file('a.yaml'));
    await toShow(catalog, ['z']);
  });

  it('finds changes without a notification', async () => {
    await write('a.yaml');
    // A folder that is replaced takes the watch with it, as a file system without events would.
    const catalog = await open({ rescanMs: 20 });
    await catalog.ready();
    await rename(folder.path, `${folder.path}.old`);
    await mkdir(folder.path);
    await write('b.yaml');

    await toShow(catalog, ['b']);
    await rm(`${folder.path}.old`, { recursive: true });
  });

  it('reads a file again only when it has changed', async () => {
    await write('a.yaml');
    await write('b.yaml');
    const store = createDagFileStore({ folder: folder.path, random: systemRandom });
    const read: string[] = [];
    const catalog = await open({
      rescanMs: 10,
      store: {
        read: (fileName) => {
          read.push(fileName);
          return store.read(fileName);
        },
      },
    });
    await catalog.ready();
    const scans: number[] = [];
    await waitFor(() => scans.push(1) > 5, { what: 'some comparisons', intervalMs: 20 });

    expect(read.toSorted()).toEqual(['a', 'b']);
  });

  it('lets readers wait for the first scan, but not endlessly', async () => {
    await write('a.yaml');
    const never = new Promise<never>(() => undefined);
    const stuck = await open({ firstScanTimeoutMs: 20, store: { list: () => never } });
    catalogs = [];

    await expect(stuck.ready()).rejects.toMatchObject({ code: 'unavailable', reason: 'dags_loading' });
    await expect(stuck.ready(AbortSignal.abort())).rejects.toMatchObject({ reason: 'dags_loading' });
  });

  it('keeps an entry whose file cannot be read for a moment', async () => {
    await write('a.yaml');
    let isBroken = false;
    const store = createDagFileStore({ folder: folder.path, random: systemRandom });
    const catalog = await open({
      store: { read: (fileName) => (isBroken ? Promise.reject(new Error('EIO')) : store.read(fileName)) },
    });
    await catalog.ready();
    isBroken = true;
    await catalog.index('a');

    expect(listNames(catalog)).toEqual(['a']);
  });

  it('lists a file that cannot be read, and continues with the others', async () => {
    for (const name of ['a', 'b', 'c']) await write(`${name}.yaml`);
    const store = createDagFileStore({ folder: folder.path, random: systemRandom });
    const refuse = () => Promise.reject(new Error('out of handles'));
    const catalog = await open({
      store: {
        readMark: (fileName) => (fileName === 'a' ? refuse() : store.readMark(fileName)),
        read: (fileName) => (fileName === 'b' ? refuse() : store.read(fileName)),
      },
    });
    await catalog.ready();

    expect(catalog.entries.all().map(({ fileName, errors }) => [fileName, errors])).toEqual([
      ['a', []],
      ['b', ['the file cannot be read (for an unknown reason)']],
      ['c', []],
    ]);
  });

  it('reports that the folder cannot be read, keeps its entries, and tries again', async () => {
    await write('a.yaml');
    let isBroken = true;
    const store = createDagFileStore({ folder: folder.path, random: systemRandom });
    const failure = Object.assign(new Error('denied'), { code: 'EACCES' });
    const catalog = await open({
      rescanMs: 20,
      store: { list: () => (isBroken ? Promise.reject(failure) : store.list()) },
    });
    await catalog.ready();
    expect(catalog.problems).toEqual([`The folder ${folder.path} cannot be read (EACCES).`]);
    isBroken = false;
    await toShow(catalog, ['a']);
    await waitFor(() => catalog.problems.length === 0, { what: 'the problem to go away' });
    isBroken = true;
    await waitFor(() => catalog.problems.length === 1, { what: 'the problem to come back' });

    expect(listNames(catalog)).toEqual(['a']);
  });
});

describe('a folder that is replaced', () => {
  const long = 600_000;
  const moved = () => `${folder.path}.old`;
  afterEach(() => rm(moved(), { recursive: true, force: true }));

  it('is noticed when it is moved away, and the new one is watched', async () => {
    await write('a.yaml');
    const catalog = await open({ rescanMs: long });
    await catalog.ready();
    await rename(folder.path, moved());
    await mkdir(folder.path);
    await write('b.yaml');
    await toShow(catalog, ['b']);
    await write('c.yaml');
    await toShow(catalog, ['b', 'c']);
    await writeFile(`${moved()}/b.yaml`, spec('name: from-old\n'));
    await write('d.yaml');

    await toShow(catalog, ['b', 'c', 'd']);
  });

  it('is noticed when it is missing for a while', async () => {
    await write('a.yaml');
    const catalog = await open({ rescanMs: long });
    await catalog.ready();
    await rm(folder.path, { recursive: true });
    await toShow(catalog, []);
    await waitFor(() => catalog.problems.join() === `The folder ${folder.path} does not exist.`, { what: 'a problem' });
    await mkdir(folder.path);
    await write('b.yaml');
    await toShow(catalog, ['b']);
    await waitFor(() => catalog.problems.length === 0, { what: 'the problem to go away' });
    await write('c.yaml');

    await toShow(catalog, ['b', 'c']);
  });

  it('is noticed by the comparison when a link leads to another one, which is then watched', async () => {
    for (const name of ['one', 'two']) await mkdir(folder.file(name));
    await writeFile(folder.file('one', 'a.yaml'), spec());
    await writeFile(folder.file('two', 'b.yaml'), spec());
    await symlink('one', folder.file('dags'));
    const seen: string[] = [];
    const changes = createFolderWatch({
      folder: folder.file('dags'),
      logger: createRecordingLogger(),
      onChange: (names) => seen.push(...(names ?? [])),
    });
    await changes.follow();
    await symlink('two', folder.file('next'));
    await rename(folder.file('next'), folder.file('dags'));
    await changes.follow();
    await writeFile(folder.file('two', 'c.yaml'), spec());
    await waitFor(() => seen.includes('c.yaml'), { what: 'the new folder to be watched' });
    changes.stop();
  });
});
