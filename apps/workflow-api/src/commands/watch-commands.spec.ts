import { writeFile } from 'node:fs/promises';
import { useCommands } from './testing/use-commands';

const { home, run } = useCommands();

describe('weir watch', () => {
  it('shows a run as a tree with its child runs, and ends with it', async () => {
    const spec = [
      'steps:',
      '  - {id: first, run: "true"}',
      '  - {id: each, action: dag.run, with: {dag: hello}, depends: first}',
      '  - {id: last, run: "false", depends: each}',
    ];
    await writeFile(home().file('dags', 'parent.yaml'), spec.join('\n'));
    await run('start', 'parent', '-r', 'mine');
    const { exitCode, out } = await run('watch', 'parent');

    expect(out.replaceAll(/ \(\d.*? s\)/g, '').split('\n')).toEqual([
      expect.stringMatching(/^parent mine: failed/) as string,
      '├─ ✓ first: succeeded',
      '├─ ✓ each: succeeded',
      expect.stringMatching(/^│ {2}hello \w+: succeeded$/) as string,
      '│  └─ ✓ greet: succeeded',
      expect.stringMatching(/^└─ ✗ last: failed/) as string,
    ]);
    expect(exitCode).toBe(1);
  });

  it('ends when the run waits for a person, and prints the command that lets it continue', async () => {
    await writeFile(
      home().file('dags', 'ask.yaml'),
      'steps: [{name: ship it, run: "true", approval: {prompt: ok?}}]\n',
    );
    const started = await run('start', 'ask', '-r', 'mine');
    const command = "weir approval approve --run-id mine --step 'ship it' ask";

    expect(started).toMatchObject({ exitCode: 0, out: expect.stringContaining(`continue with: ${command}`) as string });
    const watched = await run('watch', 'ask');
    expect(watched).toMatchObject({ exitCode: 0, out: expect.stringContaining(command) as string });
    await run('approval', 'approve', '--run-id', 'mine', '--step', 'ship it', 'ask');
    await expect(run('status', 'ask')).resolves.not.toMatchObject({
      out: expect.stringContaining('continue') as string,
    });
  });
});

describe('--format', () => {
  it.each(['ls', 'history', 'ps', 'status hello', 'context ls', 'config', 'doctor'])(
    'prints %s as JSON, and the same as YAML',
    async (words) => {
      await run('start', 'hello', '-q');
      const json = await run(...words.split(' '), '--format', 'json');
      const yaml = await run(...words.split(' '), '--format', 'yaml');

      expect(json).toMatchObject({ errors: '' });
      const names = Object.keys(JSON.parse(json.out) as object);
      expect(names.every((name) => new RegExp(`^${name}:`, 'm').test(yaml.out))).toBe(true);
    },
  );
});
