import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { describeFixtures } from '../../support/fixtures';
import { runWeir } from '../../support/weir-command';
import { startWeir } from '../../support/weir-server';

describeFixtures('mistakes in harnesses', __dirname);

/** Prints its arguments and its input, one a line. */
const agent = `#!/bin/sh
for word in "$@"; do echo "arg: $word"; done
sed 's/^/in: /'
`;

describe('harness.run', () => {
  const home = temporaryFolder();

  beforeAll(() => {
    mkdirSync(home.file('bin'));
    program('agent', agent);
    program('claude', '#!/bin/sh\necho half an answer\necho no credit >&2\nexit 7\n');
    program('codex', '#!/bin/sh\necho "codex in $(pwd): $*, token $TOKEN"\n');
    writeFileSync(home.file('token'), 'hush-hush-token');
  });
  afterAll(() => home.remove());

  function program(name: string, text: string): void {
    writeFileSync(home.file('bin', name), text);
    chmodSync(home.file('bin', name), 0o755);
  }

  const env = { PATH: `${home.file('bin')}:/usr/local/bin:/usr/bin:/bin` };
  async function start(dag: object) {
    writeFileSync(home.file('agents.yaml'), JSON.stringify({ type: 'chain', ...dag }));
    const started = await runWeir(['start', home.file('agents.yaml')], { home, env });
    const { stdout: logs } = await runWeir(['logs', 'agents'], { home });
    return { ...started, logs };
  }
  const step = (settings: object) => ({ id: 'ask', action: 'harness.run', with: { prompt: 'Go on', ...settings } });

  it('passes prompt, flags and input to a program of the DAG, and publishes which harness answered', async () => {
    const harnesses = {
      mine: { binary: '${AGENT}', prefix_args: ['run'], prompt_mode: 'flag', prompt_flag: '--task' },
    };
    const { code, logs } = await start({
      env: { AGENT: home.file('bin', 'agent') },
      params: 'TEXT="a; $(touch x) `b`"',
      harnesses,
      harness: { provider: 'mine', model: 'big' },
      steps: [step({ prompt: '${params.TEXT}', stdin: 'one\ntwo\n' }), 'echo "by ${ask.outputs.provider}"'],
    });
    expect(code).toBe(0);
    const words = ['run', '--task', 'a; $(touch x) `b`', '--model', 'big'].map((word) => `arg: ${word}\n`).join('');
    expect(logs.replaceAll(/^[^\n|]*\| /gm, '')).toContain(`${words}in: one\nin: two\n`);
    expect(logs).toContain('by mine');
  });

  it('passes the prompt by standard input', async () => {
    const harnesses = { mine: { binary: 'agent', prompt_mode: 'stdin' } };
    const { logs } = await start({ harnesses, steps: [step({ provider: 'mine', stdin: 'more', quiet: true })] });
    expect(logs.replaceAll(/^[^\n|]*\| /gm, '')).toContain('arg: --quiet\nin: Go on\nin: \nin: more\n');
  });

  it('calls fallbacks in order, prints one answer, and masks secrets', async () => {
    const { code, logs, stdout } = await start({
      secrets: [{ name: 'TOKEN', provider: 'file', key: home.file('token') }],
      working_dir: home.path,
      steps: [
        {
          ...step({ provider: 'claude', fallback: [{ provider: 'opencode' }, { provider: 'codex', model: 'm' }] }),
          output: 'ANSWER',
          stdout: home.file('answer'),
        },
        { run: 'test "${ask.outputs.attempts}" = 3 && echo "got $ANSWER"' },
      ],
    });
    expect(stdout).toContain('succeeded');
    expect(code).toBe(0);
    const answer = `codex in ${home.path}: exec Go on --model m --skip-git-repo-check, token ***`;
    expect(readFileSync(home.file('answer'), 'utf8').replaceAll(/\*+/g, '***')).toBe(`${answer}\n`);
    expect(logs).toContain('harness: claude has failed (attempt 1 of 3): exit status 7: no credit');
    expect(logs).toContain('harness: opencode has failed (attempt 2 of 3): The program of the step was not found.');
    expect(logs).toContain('half an answer');
    expect(logs).not.toContain('hush-hush');
  });

  it('fails with the exit code and the last output of the last call', async () => {
    const { code, stdout } = await start({
      steps: [
        { ...step({ provider: 'codex', fallback: [] }), continue_on: 'failed', env: { PATH: '/usr/bin:/bin' } },
        step({ provider: 'claude' }),
      ].map((each, index) => ({ ...each, id: `ask_${index}` })),
    });
    expect(code).toBe(1);
    expect(stdout).toContain('codex: The program of the step was not found.');
    expect(stdout).toContain('claude: exit status 7: no credit');
  });

  it('ends with its processes when the run is stopped, without a fallback', async () => {
    program('slow', `#!/bin/sh\ntouch ${home.file('started')}\nsleep 600 & echo $! > ${home.file('child')}\nwait\n`);
    const server = await startWeir({ env: { ...env, WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' } });
    try {
      const spec = JSON.stringify({
        type: 'graph',
        harnesses: { slow: { binary: home.file('bin', 'slow') } },
        steps: [step({ provider: 'slow', fallback: [{ provider: 'codex' }] })],
      });
      await server.request('POST', '/dag-runs', { body: { spec, name: 'slow', dagRunId: 'slow' } });
      await waitFor(() => existsSync(home.file('child')), { what: 'the agent' });
      await server.request('POST', '/dag-runs/slow/slow/stop', { body: {} });
      const read = async () => (await server.request('GET', '/dag-runs/slow/slow')).body;
      await waitFor(async () => JSON.stringify(await read()).includes('"statusLabel":"aborted"'), { what: 'the end' });
      const child = readFileSync(home.file('child'), 'utf8').trim();
      await waitFor(() => !existsSync(`/proc/${child}`), { what: 'the end of its process' });
      const log = await server.request('GET', '/dag-runs/slow/slow/steps/ask/log');
      expect(JSON.stringify(log.body)).not.toContain('codex');
    } finally {
      await server.dispose();
    }
  });
});
