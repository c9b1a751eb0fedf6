import { useCommands } from './testing/use-commands';

const { run } = useCommands();

const list = async (...words: readonly string[]): Promise<readonly string[]> => {
  const { out, errors } = await run(...words, '--format', 'json');
  expect(errors).toBe('');
  return (JSON.parse(out) as { runs: { dagName: string; dagRunId: string }[] }).runs
    .map(({ dagName, dagRunId }) => `${dagName} ${dagRunId}`)
    .sort();
};

describe('weir start and weir enqueue', () => {
  it('give one run another name and more labels, by which the history is filtered', async () => {
    await run('start', 'hello', '-r', 'plain', '-q');
    await run('start', 'hello', '-r', 'one', '-q', '--labels', 'env=prod,Nightly');
    await run('start', 'hello', '-r', 'two', '-q', '--name', 'hello-again', '--labels', 'env=prod');

    await expect(list('history')).resolves.toEqual(['hello one', 'hello plain', 'hello-again two']);
    await expect(list('history', '--labels', 'env=prod')).resolves.toEqual(['hello one', 'hello-again two']);
    await expect(list('history', 'hello', '--labels', 'env=prod')).resolves.toEqual(['hello one']);
    await expect(list('history', '--labels', 'env=prod,nightly')).resolves.toEqual(['hello one']);
    await expect(list('history', '--last', '1h')).resolves.toHaveLength(3);
    await expect(list('history', '--to', '2020-01-01')).resolves.toEqual([]);
  });

  it('refuse a name or labels that no DAG may have, and a history of two beginnings', async () => {
    await expect(run('start', 'hello', '--name', 'a b')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('1 to 40 letters') as string,
    });
    await expect(run('enqueue', 'hello', '--labels', 'a b')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('label') as string,
    });
    await expect(run('enqueue', 'hello', '--labels', 'a,,b')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('Use words between commas') as string,
    });
    await expect(run('history', '--last', '1h', '--from', '2020-01-01')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('--last excludes') as string,
    });
  });
});

describe('weir ps', () => {
  it('lists the active runs of one DAG, or one of them', async () => {
    await run('enqueue', 'hello', '-r', 'one');
    await run('enqueue', 'hello', '-r', 'two', '-N', 'other');

    await expect(list('ps')).resolves.toEqual(['hello one', 'other two']);
    await expect(list('ps', '--dag', 'other')).resolves.toEqual(['other two']);
    await expect(list('ps', '-r', 'one')).resolves.toEqual(['hello one']);
    await expect(list('ps', '-d', 'other', '-r', 'one')).resolves.toEqual([]);
  });
});

describe('weir rm --dry-run', () => {
  it('lists the runs that would be removed, and removes none', async () => {
    await run('start', 'hello', '-r', 'one', '-q');
    await run('start', 'hello', '-r', 'two', '-q');
    await run('enqueue', 'hello', '-r', 'waits');

    const all = await run('rm', 'hello', '--history', '--dry-run');
    expect(all.out.split('\n').sort()).toEqual([
      '2 runs would be removed',
      'hello one: succeeded',
      'hello two: succeeded',
    ]);
    await expect(run('rm', 'hello', '-r', 'one', '--dry-run')).resolves.toMatchObject({
      out: 'hello one: succeeded\n1 run would be removed',
    });
    await expect(run('rm', 'hello', '-r', 'waits', '--dry-run')).resolves.toMatchObject({ exitCode: 1 });
    await expect(run('rm', 'hello', '--history', '--older-than', '1h', '--dry-run')).resolves.toMatchObject({
      out: '0 runs would be removed',
    });
    await expect(list('history')).resolves.toHaveLength(3);
  });
});
