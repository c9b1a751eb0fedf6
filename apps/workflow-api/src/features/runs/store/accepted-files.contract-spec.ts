import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import { useRunRepository } from '../../../testing/use-run-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));

describe.each(storeKinds)('files that have started runs on %s', (kind) => {
  const storage = useRunRepository(kind);
  let stored = 0;
  beforeEach(() => {
    stored = 0;
  });
  const aFile = (name: string, content = '1') => ({
    key: `${name}:${content}`,
    place: `at ${name}`,
    path: `/in/${name}`,
    mark: `mark of ${content}`,
    acceptedAt: at(1),
    seenAt: at(1),
  });
  const accept = (runId: string, files: readonly ReturnType<typeof aFile>[], dagName = 'nightly') =>
    storage.runs.insert(aRun({ id: `run-${(stored += 1)}`, dagRunId: runId, dagName, status: 'succeeded' }), [], {
      audit: unaudited,
      singleton: false,
      accepted: files,
    });
  const list = (names: readonly string[], dagName = 'nightly') =>
    storage.runs.acceptedFiles.list(
      dagName,
      names.map((name) => `at ${name}`),
    );
  const listKeys = async (names: readonly string[], dagName?: string) =>
    (await list(names, dagName)).map(({ key }) => key).toSorted();

  it('are found by their places', async () => {
    await accept('one', [aFile('a'), aFile('b')]);
    await accept('two', [aFile('a', '2')]);

    await expect(list(['b'])).resolves.toEqual([{ ...aFile('b'), dagName: 'nightly', dagRunId: 'one' }]);
    await expect(listKeys(['a', 'b', 'c'])).resolves.toEqual(['a:1', 'a:2', 'b:1']);
    await expect(list(['a'], 'other')).resolves.toEqual([]);
    await expect(list([])).resolves.toEqual([]);
  });

  it('start one run each, of all that are stored at the same moment', async () => {
    const starts = await Promise.allSettled(
      ['one', 'two', 'three'].map((id) => accept(id, [aFile('a'), aFile(`only ${id}`)])),
    );
    const refused = starts.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));

    const alreadyAccepted: unknown = expect.objectContaining({ reason: 'file_accepted' });
    expect(refused).toEqual([alreadyAccepted, alreadyAccepted]);
    await expect(listKeys(['a', 'only one', 'only two', 'only three'])).resolves.toHaveLength(2);
    await expect(
      storage.runs.scan({ workspaces: { unassigned: true, named: 'all' }, limit: 10 }),
    ).resolves.toHaveLength(1);
  });

  it('are not accepted by a run that is refused', async () => {
    await accept('one', [aFile('a')]);

    await expect(accept('one', [aFile('b')])).rejects.toMatchObject({ reason: 'dag_run_exists' });
    await expect(list(['b'])).resolves.toEqual([]);
  });

  it('are accepted once by each DAG, and keep their run after its deletion', async () => {
    await accept('one', [aFile('a')]);
    await accept('one', [aFile('a')], 'other');
    await expect(storage.runs.remove('run-1')).resolves.toBe(true);

    await expect(list(['a'])).resolves.toMatchObject([{ dagRunId: 'one' }]);
    await expect(list(['a'], 'other')).resolves.toHaveLength(1);
  });

  it('get other times', async () => {
    await accept('one', [aFile('a'), aFile('b')]);
    await accept('one', [aFile('a')], 'other');
    await storage.runs.acceptedFiles.remark('nightly', 'a:1', 'touched');

    await expect(list(['a', 'b'])).resolves.toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'a:1', mark: 'touched' }),
        expect.objectContaining({ key: 'b:1', mark: 'mark of 1' }),
      ]),
    );
    await expect(list(['a'], 'other')).resolves.toMatchObject([{ mark: 'mark of 1' }]);
  });

  it('are deleted when they have not been there for long, at every place of more than one statement', async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `${index}`);
    await accept('one', [...names.map((name) => aFile(name)), aFile('gone')]);
    await accept('one', [aFile('gone')], 'other');
    await storage.runs.acceptedFiles.see(
      'nightly',
      names.map((name) => `at ${name}`),
      at(9),
    );
    const { acceptedFiles } = storage.runs;
    await expect(acceptedFiles.listDagsAfter(undefined, at(9), 10)).resolves.toEqual(['nightly', 'other']);
    await expect(acceptedFiles.listDagsAfter('nightly', at(9), 10)).resolves.toEqual(['other']);
    await expect(acceptedFiles.listDagsAfter(undefined, at(9), 1)).resolves.toEqual(['nightly']);
    await acceptedFiles.prune('nightly', at(9));
    await expect(acceptedFiles.listDagsAfter(undefined, at(9), 10)).resolves.toEqual(['other']);

    await expect(listKeys([...names, 'gone'])).resolves.toEqual(names.map((name) => `${name}:1`).toSorted());
    await expect(list(['gone'], 'other')).resolves.toHaveLength(1);
  });
});
