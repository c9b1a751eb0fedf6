import { unreadDaguVariables, useDaguNames, usesDaguNames } from './use-dagu-names';

const translate = (...words: readonly string[]) => useDaguNames({ words, env: {} }).words;
const environmentOf = (env: Readonly<Record<string, string>>, command = 'start') =>
  useDaguNames({ words: [command], env });

describe('whether names of Dagu are understood', () => {
  it.each([
    [true, { WEIR_COMPAT: 'dagu' }, 'weir'],
    [true, {}, '/usr/local/bin/dagu'],
    [false, {}, '/usr/local/bin/weir'],
    [false, { WEIR_COMPAT: '' }, undefined],
  ])('is %s for %j and %s', (expected, env, name) => {
    expect(usesDaguNames(env, name)).toBe(expected);
  });

  it('refuses another setting', () => {
    expect(() => usesDaguNames({ WEIR_COMPAT: 'yes' }, 'weir')).toThrow('WEIR_COMPAT must be "dagu"');
  });
});

describe('variables of Dagu', () => {
  it('become settings, with their values in the form of Weir', () => {
    const given = {
      DAGU_HOME: '/srv',
      DAGU_HEADLESS: 'true',
      DAGU_EVENT_STORE_RETENTION_DAYS: '7',
      DAGU_DAGS: '/dags',
    };
    expect(environmentOf(given)).toMatchObject({
      env: { WEIR_HOME: '/srv', WEIR_UI: 'off', WEIR_EVENT_LOG_AGE: '7d', WEIR_DAGS_DIR: '/dags' },
      warnings: [],
    });
  });

  it('give way to the settings of Weir', () => {
    expect(environmentOf({ DAGU_PORT: '1', WEIR_PORT: '2' }).env).toMatchObject({ WEIR_PORT: '2' });
  });

  it('without a counterpart cause a warning that explains why', () => {
    expect(environmentOf({ DAGU_LOG_DIR: '/x' }).warnings).toEqual([
      'DAGU_LOG_DIR has no effect: always below `WEIR_HOME`.',
    ]);
  });

  it('that protect a server refuse to serve without their protection, but do not affect other commands', () => {
    const env = { DAGU_IP_ACCESS_ALLOWED_IPS: '10.0.0.0/8' };
    expect(() => environmentOf(env, 'start-all')).toThrow('DAGU_IP_ACCESS_ALLOWED_IPS has no effect here');
    expect(environmentOf(env, 'status').warnings).toHaveLength(1);
  });

  it('that are set without the switch are named with the setting that is read', () => {
    expect(unreadDaguVariables({ DAGU_PORT: '1', DAGU_CACHE: 'low', DAGU_OUTPUT_FILE: '/x', DAGU_OWN: '1' })).toEqual([
      'DAGU_PORT is set and not read: set WEIR_PORT, or WEIR_COMPAT=dagu to use the names of Dagu.',
      'DAGU_CACHE is set and not read: memory is bounded without it.',
    ]);
  });
});

describe('a command line of Dagu', () => {
  it.each([
    [
      ['server', '-p', '9000', '-s', '0.0.0.0'],
      ['server', '--port', '9000', '--host', '0.0.0.0'],
    ],
    [
      ['start-all', '-d=/dags', '-q'],
      ['start-all', '--dags', '/dags'],
    ],
    [
      ['start', '-q', '-p', '-q', 'a.yaml'],
      ['start', '-q', '-p', '-q', 'a.yaml'],
    ],
    [
      ['start', '-p=x=1', 'a', '--', '-q', '-d'],
      ['start', '-p', 'x=1', 'a', '--', '-q', '-d'],
    ],
    [
      ['retry', '--req=abc', 'a'],
      ['retry', '--run-id', 'abc', 'a'],
    ],
    [
      ['enqueue', '-u', 'q', 'a'],
      ['enqueue', '--queue', 'q', 'a'],
    ],
    [
      ['cleanup', '--retention-days', '7', '-y', 'a'],
      ['rm', '--history', '--older-than', '7d', 'a'],
    ],
    [
      ['history', '-l', '5', 'a'],
      ['history', '--limit', '5', 'a'],
    ],
    [['ls'], ['ls']],
    [['constructor'], ['constructor']],
    [[], []],
  ])('%j is %j', (words, expected) => {
    expect(translate(...words)).toEqual(expected);
  });

  it.each([
    [['server', '--config', 'x'], '--config has no counterpart: settings are variables'],
    [['start-all', '--coordinator.port=1'], '--coordinator.port has no counterpart'],
    [['dequeue', '-d=a:b', 'q'], '`dequeue --run-id ID DAG`'],
  ])('refuses %j with the reason', (words, message) => {
    expect(() => translate(...words)).toThrow(message);
  });

  it('may name the home folder', () => {
    const { words, env } = useDaguNames({ words: ['start', '--dagu-home=/srv', 'a'], env: { WEIR_HOME: '/other' } });
    expect(words).toEqual(['start', 'a']);
    expect(env).toMatchObject({ WEIR_HOME: '/srv' });
  });
});
