import { inspect } from 'node:util';
import { loadConfig } from './load-config';

const host = { userHome: '/home/ada', workingDirectory: '/srv/work' };
const load = (env: Record<string, string> = {}) => loadConfig(env, host);

const readProblems = (env: Record<string, string>): readonly string[] => {
  try {
    load(env);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'config_invalid' });
    return (error as { details: { problems: string[] } }).details.problems;
  }
};

describe('loadConfig', () => {
  it('has a default for everything', () => {
    const { database, ...rest } = load();

    expect(rest).toEqual({
      agentProviders: { agentProvidersFile: undefined },
      agent: { maxAgentSessions: 100, agentTimeoutMs: 300_000 },
      remoteNodes: { nodesFile: undefined },
      audit: { auditRetentionMs: undefined },
      encryption: { keyFile: undefined, keys: undefined },
      maxFailures: 10,
      store: undefined,
      eventTargets: { eventNetworks: [] },
      events: { maxEvents: 100_000, maxEventAgeMs: 30 * 86_400_000 },
      hasUserInterface: true,
      home: '/home/ada/.weir',
      host: '127.0.0.1',
      allowedHosts: [],
      port: 8080,
      roles: ['api', 'scheduler', 'worker'],
      basePath: '',

      buildCache: { maxBytes: 2_147_483_648, maxAgeMs: 2_592_000_000 },
      tools: { maxAgeMs: 7_776_000_000 },
      packages: { source: 'https://github.com', maxAgeMs: 7_776_000_000 },
      dags: { folder: '/home/ada/.weir/dags', writeExamples: true },
      revisions: { maxRevisions: 100 },
      docs: { folder: '/home/ada/.weir/dags/docs' },
      baseConfig: { file: '/home/ada/.weir/base.yaml', isRequired: false },
      streams: { maxStreams: 1000 },
      timeZone: undefined,
      queues: new Map(),
      steps: {
        defaultShell: undefined,
        passthrough: { names: [], prefixes: [] },
        isolationMode: 'auto',
        logLimits: { maxBytes: 1_073_741_824, maxRunBytes: 10_737_418_240, onExceeded: 'drop' },
      },
      secrets: { vault: undefined, kubernetes: undefined, aws: undefined, gcp: undefined, azure: undefined },
      gitSync: {
        gitSyncDefaults: {
          settings: {
            enabled: false,
            repository: '',
            branch: 'main',
            path: '',
            auth: { type: 'token' },
            pushEnabled: true,
            autoSync: { enabled: false, onStartup: true, interval: 300 },
            commit: { authorName: 'Weir', authorEmail: 'weir@localhost' },
          },
        },
      },
      metrics: { isPublic: false, prefix: 'weir_' },
      logs: { folder: '/home/ada/.weir/logs' },
      data: { folder: '/home/ada/.weir/data' },
      auth: { mode: 'builtin', jwtSecret: undefined, tokenTtlSeconds: 86_400, jobTrustFile: undefined },
      trustedProxies: [],
      worker: { labels: {}, maxRuns: 50, drainMs: 0 },
      log: { level: 'info', format: 'text' },
    });
    expect(database.url.reveal()).toBe('file:/home/ada/.weir/data/weir.db');
    expect(database.autoMigrate).toBe(true);
  });

  it('reads Git sync, prints its token nowhere, and refuses contradicting settings', () => {
    const env = {
      WEIR_GIT_SYNC: 'true',
      WEIR_GIT_SYNC_REPOSITORY: 'https://git.example/x',
      WEIR_GIT_SYNC_TOKEN: 'hunter2',
    };
    const { gitSyncDefaults } = load(env).gitSync;

    expect(gitSyncDefaults.settings).toMatchObject({ enabled: true, repository: 'https://git.example/x' });
    expect(gitSyncDefaults.token?.reveal()).toBe('hunter2');
    expect(JSON.stringify(gitSyncDefaults)).not.toContain('hunter2');
    expect(() => load({ WEIR_GIT_SYNC: 'true' })).toThrow('Git sync needs a repository.');
  });

  it('reads the variables that steps see and their shell', () => {
    const env = {
      WEIR_ENV_PASSTHROUGH: 'NODE_OPTIONS, CI,',
      WEIR_ENV_PASSTHROUGH_PREFIXES: 'AWS_',
      WEIR_DEFAULT_SHELL: 'bash -u "x y"',
      WEIR_STEP_ISOLATION: 'required',
      WEIR_STEP_LOG_LIMIT_MIB: '2',
      WEIR_RUN_LOG_LIMIT_MIB: '3',
      WEIR_STEP_LOG_LIMIT_ACTION: 'fail',
    };

    expect(load(env).steps).toEqual({
      defaultShell: ['bash', '-u', 'x y'],
      passthrough: { names: ['NODE_OPTIONS', 'CI'], prefixes: ['AWS_'] },
      isolationMode: 'required',
      logLimits: { maxBytes: 2_097_152, maxRunBytes: 3_145_728, onExceeded: 'fail' },
    });
  });

  it('reads the capacity of queues', () => {
    const queues = new Map([
      ['reports', 2],
      ['etl.daily', 40],
    ]);
    expect(load({ WEIR_QUEUES: ' reports=2, etl.daily=40,' }).queues).toEqual(queues);
    for (const wrong of ['reports', 'reports=0', 'reports=20000', 'a b=1', 'a=1,a=2', 'a=-1']) {
      expect(readProblems({ WEIR_QUEUES: wrong })).toEqual([expect.stringContaining('WEIR_QUEUES')]);
    }
  });

  it('reads the time zone of schedules, and refuses one that does not exist', () => {
    expect(load({ WEIR_TZ: 'Asia/Tokyo' }).timeZone).toBe('Asia/Tokyo');
    expect(readProblems({ WEIR_TZ: 'Nowhere/City' })).toEqual([expect.stringContaining('WEIR_TZ')]);
  });

  it.each([
    [{ WEIR_ENV_PASSTHROUGH: 'CI,WEIR_JWT_SECRET' }],
    [{ WEIR_ENV_PASSTHROUGH: 'A B' }],
    [{ WEIR_ENV_PASSTHROUGH_PREFIXES: 'WEIR_' }],
    [{ WEIR_ENV_PASSTHROUGH_PREFIXES: 'AWS_,WEIR_JWT' }],
    [{ WEIR_ENV_PASSTHROUGH_PREFIXES: 'W' }],
    [{ WEIR_DEFAULT_SHELL: 'bash "' }],
  ])('refuses %j', (env) => {
    expect(readProblems(env)).toEqual([expect.stringContaining(Object.keys(env)[0] ?? '')]);
  });

  it('treats an empty text as not set', () => {
    expect(load({ WEIR_PORT: '', WEIR_HOME: '', WEIR_JWT_SECRET: '' })).toMatchObject({
      port: 8080,
      roles: ['api', 'scheduler', 'worker'],
      events: { maxEvents: 100_000, maxEventAgeMs: 30 * 86_400_000 },
      home: '/home/ada/.weir',
      auth: { jwtSecret: undefined },
    });
  });

  it.each([
    ['an absolute folder', '/var/lib/weir', '/var/lib/weir'],
    ['a relative folder', 'state', '/srv/work/state'],
    ['a folder above', '../state', '/srv/state'],
    ['the home of the user', '~', '/home/ada'],
    ['a folder in the home of the user', '~/state', '/home/ada/state'],
    ['a name that begins with a tilde', '~state', '/srv/work/~state'],
  ])('resolves %s', (_, given, folder) => {
    const config = load({ WEIR_HOME: given });

    expect(config.home).toBe(folder);
    expect(config.dags.folder).toBe(`${folder}/dags`);
    expect(config.database.url.reveal()).toBe(`file:${folder}/data/weir.db`);
  });

  it.each([
    ['file:weir.db', 'file:/srv/work/weir.db'],
    ['file:~/weir.db', 'file:/home/ada/weir.db'],
    ['file:/data/weir.db', 'file:/data/weir.db'],
    ['file:///data/weir.db', 'file:///data/weir.db'],
    ['postgres://ada:pw@db/weir', 'postgres://ada:pw@db/weir'],
    ['postgresql://db/weir', 'postgresql://db/weir'],
  ])('reads the database %s', (given, url) => {
    expect(load({ WEIR_DATABASE_URL: given }).database.url.reveal()).toBe(url);
  });

  it.each([
    ['', ''],
    ['/', ''],
    ['/weir', '/weir'],
    ['/weir/', '/weir'],
    ['/a/b-c', '/a/b-c'],
  ])('reads the base path "%s"', (given, basePath) => {
    expect(load({ WEIR_BASE_PATH: given }).basePath).toBe(basePath);
  });

  it.each([
    ['30s', 30],
    ['15m', 900],
    ['24h', 86_400],
    ['7d', 604_800],
    ['8760h', 31_536_000],
  ])('reads the lifetime %s', (given, seconds) => {
    expect(load({ WEIR_TOKEN_TTL: given }).auth.tokenTtlSeconds).toBe(seconds);
  });

  it('reads everything else', () => {
    const config = load({
      WEIR_HOST: '::1',
      WEIR_PORT: '0',
      WEIR_DAGS_DIR: 'dags',
      WEIR_AUTO_MIGRATE: 'false',
      WEIR_AUTH_MODE: 'none',
      WEIR_JWT_SECRET: 's'.repeat(32),
      WEIR_ALLOWED_HOSTS: 'Weir.example.com, .apps.example.com,*',
      WEIR_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,192.168.1.1 ,2001:db8::/32',
      WEIR_SKIP_EXAMPLES: 'true',
      WEIR_LOG_LEVEL: 'debug',
      WEIR_LOG_FORMAT: 'json',
    });

    expect(config).toMatchObject({
      host: '::1',
      port: 0,
      dags: { folder: '/srv/work/dags', writeExamples: false },
      database: { autoMigrate: false },
      auth: { mode: 'none' },
      allowedHosts: ['weir.example.com', '.apps.example.com', '*'],
      trustedProxies: ['loopback', '10.0.0.0/8', '192.168.1.1', '2001:db8::/32'],
      log: { level: 'debug', format: 'json' },
    });
    expect(config.auth.jwtSecret?.reveal()).toBe('s'.repeat(32));
  });

  it.each([
    ['WEIR_PORT', '65536'],
    ['WEIR_PORT', '80 80'],
    ['WEIR_PORT', '-1'],
    ['WEIR_PORT', '0x50'],
    ['WEIR_ALLOWED_HOSTS', 'https://weir.example.com'],
    ['WEIR_ALLOWED_HOSTS', '*.example.com'],
    ['WEIR_ALLOWED_HOSTS', 'weir:8080'],
    ['WEIR_BASE_PATH', 'weir'],
    ['WEIR_BASE_PATH', '/a b'],
    ['WEIR_BASE_PATH', '//evil'],
    ['WEIR_DATABASE_URL', 'mysql://db/weir'],
    ['WEIR_DATABASE_URL', '/var/lib/weir.db'],
    ['WEIR_AUTO_MIGRATE', 'yes'],
    ['WEIR_AUTH_MODE', 'basic'],
    ['WEIR_JWT_SECRET', 'too short to sign anything with'],
    ['WEIR_TOKEN_TTL', '24'],
    ['WEIR_TOKEN_TTL', '0s'],
    ['WEIR_TOKEN_TTL', '8761h'],
    ['WEIR_TOKEN_TTL', '99999999d'],
    ['WEIR_TRUSTED_PROXIES', 'everybody'],
    ['WEIR_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['WEIR_TRUSTED_PROXIES', '10.0.0.0/0'],
    ['WEIR_TRUSTED_PROXIES', '10.0.0.1,'],
    ['WEIR_WORKER_LABELS', 'gpu'],
    ['WEIR_WORKER_LABELS', 'gpu=a,gpu=b'],
    ['WEIR_WORKER_CONCURRENCY', '0'],
    ['WEIR_WORKER_DRAIN_SECONDS', '-1'],
    ['WEIR_SKIP_EXAMPLES', '1'],
    ['WEIR_LOG_LEVEL', 'trace'],
    ['WEIR_LOG_FORMAT', 'xml'],
  ])('refuses %s=%s by name, without repeating the value', (name, value) => {
    const problems = readProblems({ [name]: value });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}(\\.\\d+)?: \\S`));
    if (value.length > 5) expect(problems[0]).not.toContain(value);
  });

  it('names every problem at once', () => {
    const env = {
      WEIR_PORT: 'x',
      WEIR_AUTH_MODE: 'x',
      WEIR_JWT_SECRET: 'x',
      WEIR_TOKEN_TTL: 'x',
      WEIR_LOG_FORMAT: 'x',
    };
    const names = readProblems(env).map((problem) => problem.split(':')[0]);

    expect(names).toEqual(Object.keys(env));
  });

  it('shows no secret when it is printed', () => {
    const config = load({
      WEIR_JWT_SECRET: 'signing-'.repeat(5),
      WEIR_DATABASE_URL: 'postgres://ada:hidden-word@db/weir',
    });

    for (const text of [inspect(config, { depth: 9 }), JSON.stringify(config), String(config.database.url)]) {
      expect(text).toContain('[secret]');
      expect(text).not.toContain('signing-');
      expect(text).not.toContain('hidden-word');
    }
  });

  it('repeats no secret in its errors', () => {
    const text = readProblems({
      WEIR_JWT_SECRET: 'hidden-word',
      WEIR_DATABASE_URL: 'mysql://ada:hidden-word@db',
    }).join();
    expect(text).not.toContain('hidden-word');
  });
});
