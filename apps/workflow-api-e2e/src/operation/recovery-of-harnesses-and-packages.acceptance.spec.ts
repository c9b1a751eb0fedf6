import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { hangIn, isAlive, kill, startRuns, type RunsOfServer } from '../support/hanging-runs';
import { runWeir } from '../support/weir-command';
import { startWeir } from '../support/weir-server';

const agent = `#!/bin/sh
echo "asked $1" >> "$HOME/$1"
${hangIn('$1')}
echo "answer of $1"
`;
const action = `type: chain
params: [{name: file}, {name: safe}]
steps:
  - run: echo "began" >> "$HOME/$file"
  - run: 'echo "worked" >> "$HOME/$file"; ${hangIn('$file')}'
    retry_policy: {limit: "\${params.safe}", interval_sec: 0}
  - {action: outputs.write, with: {values: {said: "done by \${file}"}}}
`;

describe('agents and packages under way when the server is killed', () => {
  const folder = temporaryFolder();
  const sources = folder.file('sources');
  let runs: RunsOfServer;
  let ended: Map<string, unknown>;

  /** The text of a DAG that names what it calls by commit and contents. */
  async function locked(name: string, isSafe: boolean): Promise<string> {
    const file = folder.file(`${name}.yaml`);
    const limit = isSafe ? '1' : '0';
    writeFileSync(
      file,
      `type: chain
steps:
  - {id: pack, action: acme/slow@v1, with: {file: ${name}, safe: "${limit}"}}
  - {name: after, run: 'echo "\${pack.outputs.said}" >> $HOME/${name}'}
`,
    );
    const env = { WEIR_ACTIONS_SOURCE: sources };
    expect(await runWeir(['lock', file], { home: folder, env })).toMatchObject({ code: 0, stderr: '' });
    return readFileSync(file, 'utf8');
  }

  const asking = (prompt: string, more = '') => `type: chain
harnesses: {slow: {binary: ${folder.file('agent')}}, other: {binary: /bin/echo}}
steps:
  - {id: ask, action: harness.run, with: {prompt: ${prompt}, provider: slow, fallback: [{provider: other}]}${more}}
  - {name: after, run: 'echo "by \${ask.outputs.provider}" >> $HOME/${prompt}'}
`;

  beforeAll(async () => {
    writeFileSync(folder.file('agent'), agent);
    chmodSync(folder.file('agent'), 0o755);
    publish(folder.file('work'), path.join(sources, 'acme', 'slow.git'));
    runs = await startRuns(
      startWeir,
      {
        agent_once: asking('agent_once'),
        agent_again: asking('agent_again', ', idempotent: true'),
        packed_once: await locked('packed_once', false),
        packed_again: await locked('packed_again', true),
      },
      { WEIR_ACTIONS_SOURCE: sources },
    );
    await kill(runs.first);
    const names = ['agent_once', 'agent_again', 'packed_once', 'packed_again'];
    ended = new Map((await runs.goOn()).map((run, index) => [names[index] ?? '', run]));
  }, 120_000);
  afterAll(async () => {
    await runs.dispose();
    execFileSync('chmod', ['-R', 'u+w', folder.path]);
    await folder.remove();
  });

  it('does not call an agent again that may have worked, nor its fallback, and fails as "owner lost"', () => {
    expect(ended.get('agent_once')).toMatchObject({
      statusLabel: 'failed',
      nodes: [
        { statusLabel: 'failed', error: expect.stringContaining('owner lost') as string },
        { statusLabel: 'aborted' },
      ],
    });
    expect(runs.lines('agent_once')).toEqual(['asked agent_once']);
  });

  it('calls the same agent again if the step is idempotent', () => {
    expect(ended.get('agent_again')).toMatchObject({ statusLabel: 'succeeded' });
    expect(runs.lines('agent_again')).toEqual(['asked agent_again', 'asked agent_again', 'by slow']);
  });

  it('resumes the run of a package after its last finished step', () => {
    expect(ended.get('packed_again')).toMatchObject({ statusLabel: 'succeeded' });
    expect(runs.lines('packed_again')).toEqual(['began', 'worked', 'worked', 'done by packed_again']);
  });

  it('fails the step of a package whose interrupted step must not be repeated', () => {
    expect(ended.get('packed_once')).toMatchObject({
      statusLabel: 'failed',
      nodes: [{ statusLabel: 'failed' }, { statusLabel: 'aborted' }],
    });
    expect(runs.lines('packed_once')).toEqual(['began', 'worked']);
  });

  it('leaves none of their processes', async () => {
    for (const pid of runs.pids) await waitFor(() => !isAlive(pid), { what: `the end of the process ${pid}` });
  });
});

/** A repository with the version v1 of an action. */
function publish(work: string, bare: string): void {
  mkdirSync(work, { recursive: true });
  mkdirSync(path.dirname(bare), { recursive: true });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: work });
  execFileSync('git', ['init', '--quiet', '--bare', bare]);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(work, 'dagu-action.yaml'), 'apiVersion: v1alpha1\nname: slow\ndag: action.yaml\n');
  writeFileSync(path.join(work, 'action.yaml'), action);
  git('add', '-A');
  git('commit', '--quiet', '-m', 'v1');
  git('tag', 'v1');
  git('push', '--quiet', bare, 'HEAD:refs/heads/main', 'v1');
}
