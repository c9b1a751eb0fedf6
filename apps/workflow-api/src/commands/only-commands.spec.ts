import { readFile, writeFile } from 'node:fs/promises';
import { useCommands } from './testing/use-commands';

const { home, run } = useCommands();

/** The steps before and after "report" fail where `ok` is missing. */
const spec = `type: chain
steps:
  - name: fetch data
    id: fetch
    run: test -e "$HOME_FOLDER/ok" && echo name=fetched >> "$DAGU_OUTPUT_FILE" && echo rows > "$DAG_RUN_WORK_DIR/rows"
    outputs: [{name: name}]
  - id: count
    run: test -e "$HOME_FOLDER/ok" && echo 7
    output: COUNT
  - id: report
    run: |
      echo "\${steps.fetch.outputs.name} $COUNT $(cat "$DAG_RUN_WORK_DIR/rows" 2>/dev/null)" > "$HOME_FOLDER/report"
      test ! -e "$HOME_FOLDER/broken"
  - id: send
    run: test -e "$HOME_FOLDER/ok" && touch "$HOME_FOLDER/sent"
`;

beforeEach(() => writeFile(home().file('dags', 'made.yaml'), spec.replaceAll('$HOME_FOLDER', home().path)));

const report = () => readFile(home().file('report'), 'utf8');
const statuses = async (id: string) => {
  const { out } = await run('status', 'made', '-r', id, '--format', 'json');
  return (JSON.parse(out) as { steps: { status: string }[] }).steps.map(({ status }) => status);
};

describe('weir start --only', () => {
  it('executes the named steps alone, with the outputs that are given', async () => {
    const given = ['--output', 'fetch.name=given', '--output', 'count.COUNT=3'];
    await expect(run('start', 'made', '-r', 'one', '--only', 'report', ...given)).resolves.toMatchObject({
      exitCode: 0,
    });
    await expect(report()).resolves.toBe('given 3 \n');
    await expect(statuses('one')).resolves.toEqual(['skipped', 'skipped', 'succeeded', 'skipped']);
  });

  it('takes outputs and working files from an earlier run, and given outputs before them', async () => {
    await writeFile(home().file('ok'), '');
    await expect(run('start', 'made', '-r', 'whole')).resolves.toMatchObject({ exitCode: 0 });
    await writeFile(home().file('report'), '');
    const flags = ['--only', 'report', '--outputs-from', 'whole', '--output', 'count.COUNT=9'];
    await expect(run('start', 'made', ...flags)).resolves.toMatchObject({ exitCode: 0 });
    await expect(report()).resolves.toBe('fetched 9 rows\n');
  });

  it('leaves the other steps out of a later retry, too', async () => {
    await writeFile(home().file('broken'), '');
    await expect(run('start', 'made', '-r', 'one', '--only', 'report')).resolves.toMatchObject({ exitCode: 1 });
    await writeFile(home().file('ok'), '');
    await expect(run('retry', 'made', '-r', 'one')).resolves.toMatchObject({ exitCode: 1 });
    await expect(statuses('one')).resolves.toEqual(['skipped', 'skipped', 'failed', 'skipped']);
  });

  it.each([
    ['a step that the DAG does not have', ['--only', 'none'], 'the DAG has no step "none"'],
    ['outputs of a step that is executed', ['--only', 'fetch', '--output', 'fetch.name=x'], 'outputs of its own'],
    ['outputs of a run that is not there', ['--only', 'fetch', '--outputs-from', 'none'], 'no ended run "none"'],
    ['outputs without a choice of steps', ['--output', 'fetch.name=x'], '--only leaves out'],
    ['an output without a value', ['--only', 'fetch', '--output', 'fetch'], 'Use STEP.NAME=VALUE.'],
  ])('refuses %s', async (_, flags, message) => {
    const { exitCode, errors } = await run('start', 'made', ...flags);
    expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: expect.stringContaining(message) as string });
  });
});

describe('weir dry', () => {
  it('prints the plan as JSON, with the steps that are left out', async () => {
    const { out } = await run('dry', 'made', '--only', 'count', '--run-id', 'next', '--format', 'json');
    expect(JSON.parse(out)).toEqual({
      dag: 'made',
      run: { id: 'next' },
      params: [],
      steps: [
        { name: 'fetch data', id: 'fetch', work: 'command', depends: [], skipped: true },
        { name: 'count', id: 'count', work: 'command', depends: ['fetch data'], skipped: false },
        { name: 'report', id: 'report', work: 'script', depends: ['count'], skipped: true },
        { name: 'send', id: 'send', work: 'command', depends: ['report'], skipped: true },
      ],
    });
  });
});
