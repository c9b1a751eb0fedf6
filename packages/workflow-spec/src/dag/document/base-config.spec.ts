import { parseDag } from './parse-dag';
import type { BaseConfig } from './base-config';
import { parseBaseConfig } from './parse-base-config';

function aBase(text: string): BaseConfig {
  const { base, findings } = parseBaseConfig(text);
  expect(findings).toEqual([]);
  // A base configuration reaches a worker thread by structured clone.
  return structuredClone(base);
}

function dagWith(text: string, ...bases: readonly string[]) {
  const { dag, localDags, findings } = parseDag(text, { base: bases.map(aBase) });
  expect(findings).toEqual([]);
  return { dag, localDags };
}

const step = 'steps: [echo hi]\n';

describe('parseBaseConfig', () => {
  it.each(['', '---\n', '# nothing\n', '{}'])('reads %j as an empty base configuration', (text) => {
    expect(parseBaseConfig(text)).toEqual({ base: { settings: {} }, findings: [] });
  });

  it('refuses a name and steps and reads the rest', () => {
    const { base, findings } = parseBaseConfig('name: x\nqueue: slow\nsteps: [echo hi]\n');
    expect(base.settings).toEqual({ queue: 'slow' });
    expect(findings.map(({ code, path }) => [code, path])).toEqual([
      ['unknown_key', '/name'],
      ['unknown_key', '/steps'],
    ]);
  });

  it('reports an unknown key at its location', () => {
    const { findings } = parseBaseConfig('quue: slow\n');
    expect(findings).toEqual([expect.objectContaining({ code: 'unknown_key', line: 1, column: 1 })]);
    expect(findings[0]?.message).toContain('the base configuration has invalid keys: "quue" (did you mean "queue"?)');
  });

  it('refuses a second document', () => {
    const { base, findings } = parseBaseConfig('queue: slow\n---\nqueue: fast\n');
    expect(base.settings.queue).toBe('slow');
    expect(findings).toEqual([expect.objectContaining({ code: 'invalid_value', line: 3 })]);
  });

  it.each(['[a]', 'text', '&a [*a]', '{a', 'a: !!binary x', '\u0000'])('never throws, not even for %j', (text) => {
    const { base, findings } = parseBaseConfig(text);
    expect(base.settings).toEqual({});
    expect(findings.length).toBeGreaterThan(0);
  });
});

describe('parseDag with a base configuration', () => {
  it('inherits what the DAG does not set and keeps what it sets', () => {
    const { dag } = dagWith(`queue: own\n${step}`, 'queue: slow\nlog_dir: /logs\nlabels: [team=ops]\n');
    expect(dag).toMatchObject({ queue: 'own', logDir: '/logs', labels: ['team=ops'] });
  });

  it('replaces a mail account with the same address, whatever its case, and keeps the others', () => {
    const { dag } = dagWith(
      `mail_accounts: {A@example.org: {provider: google, password: own}}\n${step}`,
      'mail_accounts: {a@example.org: {provider: google, password: x}, b@example.org: {provider: google, password: y}}',
    );
    expect(dag.mailAccounts).toEqual({
      'b@example.org': { provider: 'google', password: 'y' },
      'A@example.org': { provider: 'google', password: 'own' },
    });
  });

  it('lets an empty list of the DAG override the base', () => {
    const { dag } = dagWith(`labels: []\nschedule: []\n${step}`, 'labels: [a]\nschedule: "0 1 * * *"\n');
    expect(dag).toMatchObject({ labels: [], schedule: [] });
  });

  it('puts environment first, and merges constants and secrets by name', () => {
    const base = `
env: [A: base, B: base]
consts: [region: eu, size: 1]
secrets: [{name: T, provider: env, key: base}, {name: U, provider: env, key: base}]
`;
    const { dag } = dagWith(
      `env: [B: own]\nconsts: [size: 2]\nsecrets: [{name: T, provider: env, key: own}]\n${step}`,
      base,
    );
    expect(dag.env).toEqual([
      { name: 'A', value: 'base' },
      { name: 'B', value: 'base' },
      { name: 'B', value: 'own' },
    ]);
    expect(dag.consts).toEqual([
      { name: 'region', value: 'eu' },
      { name: 'size', value: 2 },
    ]);
    expect(dag.secrets).toEqual([
      { name: 'U', kind: 'provider', provider: 'env', key: 'base' },
      { name: 'T', kind: 'provider', provider: 'env', key: 'own' },
    ]);
  });

  it('applies the server before the workspace', () => {
    const { dag } = dagWith(step, 'env: [A: server]\nqueue: server\n', 'env: [A: space]\nqueue: space\n');
    expect(dag.env.map(({ value }) => value)).toEqual(['server', 'space']);
    expect(dag.queue).toBe('space');
  });

  it.each([
    ['hist_retention_runs: 5', 'hist_retention_days: 10', { histRetentionRuns: 5 }, 'histRetentionDays'],
    [
      'schedule: {start: "0 1 * * *"}',
      'schedule: {stop: "0 2 * * *"}',
      { schedule: [expect.anything()] },
      'stopSchedule',
    ],
  ])('takes settings of one kind from one file: %s over %s', (own, base, expected, absent) => {
    const { dag } = dagWith(`${own}\n${step}`, base);
    expect(dag).toMatchObject(expected);
    expect(dag).not.toHaveProperty(absent);
  });

  it('uses a handler of the base where the DAG has none, and marks it as inherited', () => {
    const base = 'handler_on: {failure: {run: base fail}, exit: {run: base exit}}\n';
    const { dag } = dagWith(`handler_on: {exit: {run: own exit}}\n${step}`, base);
    expect(dag.handlers?.failure?.run).toEqual({ kind: 'commands', commands: ['base fail'] });
    expect(dag.handlers?.exit?.run).toEqual({ kind: 'commands', commands: ['own exit'] });
    expect(dag.inheritedHandlers).toEqual(['failure']);
  });

  it('applies its step defaults where the DAG has none', () => {
    const base = 'defaults: {timeout_sec: 30, mail_on_error: true, env: {A: base}}\n';
    const { dag } = dagWith(`defaults: {timeout_sec: 60}\nsteps: [{run: x, env: {B: own}}]\n`, base);
    expect(dag.steps[0]).toMatchObject({
      timeoutSec: 60,
      mailOnError: true,
      env: [
        { name: 'A', value: 'base' },
        { name: 'B', value: 'own' },
      ],
    });
  });

  it('applies to every document of the file', () => {
    const { dag, localDags } = dagWith(`${step}---\nname: child\n${step}`, 'log_dir: /logs\n');
    expect([dag.logDir, localDags[0]?.logDir]).toEqual(['/logs', '/logs']);
  });

  it('inherits the type', () => {
    const { dag } = dagWith('steps: [a, b]\n', 'type: chain\n');
    expect(dag.steps[1]?.depends).toEqual(['step_1']);
  });

  it('inherits the workspace and parameters with the values derived from them', () => {
    const { dag } = dagWith(step, 'labels: {workspace: ops}\nparams: [region: eu]\n');
    expect(dag).toMatchObject({ workspace: 'ops', defaultParams: 'region=eu' });
  });
});
