import { parseDag } from '@weir/workflow-spec';
import { aRun, aRunStep } from '../../testing/run-builders';
import { buildActionCall } from './action-call';
import { resolveRunValues } from '../../values/run-values/run-values';

const hostEnv = { PATH: '/bin', HOME: '/home/me' };
const run = aRun({ workDir: '/srv/run', resolvedParams: [{ name: 'who', value: 'Ada' }] });
const stored = aRunStep({ stdoutFile: '/logs/out', stderrFile: '/logs/err' });

const buildCall = (spec: string) => {
  const { dag } = parseDag(spec, { name: 'nightly' });
  const [step] = dag.steps;
  if (step === undefined) throw new Error('The spec of this case has no step.');
  const sources = { run, dag, hostEnv, passthrough: { names: [], prefixes: [] }, dagsDir: '/dags' };
  const values = resolveRunValues(sources, run.resolvedParams, {});
  return buildActionCall({ dag, ports: { hostEnv } }, { step, stored, values });
};

describe('buildActionCall', () => {
  it('replaces references in every string of the settings, but not in keys', () => {
    const call = buildCall(`
env: {TOKEN: t}
steps:
  - action: http.request
    with:
      method: POST
      url: http://x/\${params.who}?h=$HOME
      timeout: 5
      headers: {'\${TOKEN}': '\${TOKEN}'}
      body: {list: ['\${who:-nobody}', 1, null, true, {deep: '\${context.step.name}'}]}
`);
    expect(call).toMatchObject({
      action: 'http.request',
      with: {
        method: 'POST',
        url: 'http://x/Ada?h=/home/me',
        timeout: 5,
        headers: { '${TOKEN}': 't' },
        body: { list: ['nobody', 1, null, true, { deep: 'step_1' }] },
      },
      cwd: '/srv/run',
      stdoutFile: '/logs/out',
      stderrFile: '/logs/err',
      maxOutputBytes: 1_048_576,
    });
    expect(call.env).toMatchObject({ TOKEN: 't', PATH: '/bin', DAG_NAME: 'nightly' });
  });

  it('leaves the variables of a program unresolved', () => {
    const call = buildCall(
      `env: {x: taken}\nsteps:\n  - {action: jq.filter, with: {filter: '. as $x | $x + "\${params.who}"', input: '$x'}}\n`,
    );
    expect(call.with).toEqual({ filter: '. as $x | $x + "Ada"', input: 'taken' });
  });

  it('has the limits of the DAG and the stop settings of the step', () => {
    const call = buildCall(
      'max_output_size: 10\nmax_clean_up_time_sec: 7\nsteps:\n  - {action: noop, signal_on_stop: SIGINT, working_dir: sub}\n',
    );
    expect(call).toMatchObject({ maxOutputBytes: 10, killGraceMs: 7_000, stopSignal: 'SIGINT', cwd: '/srv/run/sub' });
  });

  it('resolves the mail server for a mail, by the environment of its step, and for nothing else', () => {
    const smtp = "env: {SECRET: dag}\nsmtp: {host: '${params.who}.example.org', password: $SECRET, username: me}\n";
    const mail = '{from: a@b, to: a@b, subject: x, message: y}';
    const call = buildCall(`${smtp}steps:\n  - {action: mail.send, env: {SECRET: own}, with: ${mail}}\n`);

    expect(call.mailServer).toEqual({ host: 'Ada.example.org', username: 'me', password: 'own' });
    expect(buildCall(`${smtp}steps:\n  - {action: noop}\n`).mailServer).toBeUndefined();
  });

  it('resolves the account of a mailbox, whatever the case of its letters, and gives no other password', () => {
    const accounts =
      'smtp: {password: x, username: y}\nmail_accounts: {Me@example.org: {provider: google, password: "${params.who}"}}\n';
    const search = (mailbox: string) =>
      buildCall(`${accounts}steps:\n  - {action: mail.search, with: {mailbox: ${mailbox}}}\n`);

    expect(search('me@Example.org')).toMatchObject({
      mailAccount: { address: 'Me@example.org', settings: { provider: 'google', password: 'Ada' } },
    });
    expect(search('me@example.org').mailServer).toBeUndefined();
    expect(search('you@example.org').mailAccount).toBeUndefined();
  });

  it('limits the total length of all strings', () => {
    const large = 'x'.repeat(900_000);
    const args = Array.from({ length: 20 }, () => '"$BIG"').join(', ');
    const spec = `env: {BIG: ${large}}\nsteps:\n  - {action: exec, with: {command: echo, args: [${args}]}}\n`;
    expect(() => buildCall(spec)).toThrow('longer than 16777216 characters');
  });
});
