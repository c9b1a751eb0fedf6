import type { Answer } from './call-published';
import { runContainer, type Container } from './container';
import type { Engine } from './engine';

const volumePath = '/var/lib/weir';
const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];

interface ImageConfig {
  readonly User: string;
  readonly Volumes: Record<string, unknown> | null;
  readonly ExposedPorts: Record<string, unknown> | null;
  readonly Healthcheck: unknown;
}

export interface SmokeOptions {
  readonly engine: Engine;
  readonly image: string;
  readonly report: (line: string) => void;
}

type Check = (what: string, isTrue: boolean, found?: unknown) => void;

/** What an image promises, and how its users meet it. */
interface Promises {
  readonly appPort: number;
  readonly healthPath: string;
  readonly limitMegabytes: number;
  /** Options of `docker run` that it cannot do without. */
  readonly needed: readonly string[];
  /** Uses a first start. */
  readonly use: (container: Container, check: Check) => Promise<void>;
  /** Whether what the first start was used for is still there. */
  readonly remembers: (container: Container) => Promise<boolean>;
  /** What may not be in the image or must be refused. */
  readonly refuses: (container: Container, check: Check) => Promise<void>;
}

const admin = { username: 'smoke-admin', password: 'a long phrase for the smoke run 4711' };
const setUp = (container: Container, body: object): Promise<Answer> =>
  container.call('POST', '/api/v1/auth/setup', body);

const workflowServer: Promises = {
  appPort: 8080,
  healthPath: '/api/v1/health',
  limitMegabytes: 250,
  needed: [],
  use: async (container, check) => {
    check('no stranger makes the first admin', (await setUp(container, admin)).status === 403);
    const { stdout: setupToken } = await container.exec('cat', `${volumePath}/auth/setup_token`);
    const { status, body } = await setUp(container, { ...admin, setupToken });
    check('the first admin can be made', status === 200 || status === 201, status);
    const { token } = JSON.parse(body) as { readonly token: string };
    const start = '/api/v1/dags/hello/start-sync';
    const spec = 'steps:\n  - id: hello\n    run: echo hello from $(id -u)\n';
    const made = await container.call('POST', '/api/v1/dags', { name: 'hello', spec }, token);
    check('a DAG can be stored', made.status === 201, made);
    const run = await container.call('POST', start, { timeout: 60 }, token);
    check('a run of it succeeds', run.body.includes('"statusLabel":"succeeded"'), run);
  },
  remembers: async (container) => (await setUp(container, admin)).status === 403,
  refuses: async (container, check) => {
    const user = await container.exec('id', '-u');
    check('the process is not root', /^[1-9]\d*$/.test(user.stdout.trim()), user.stdout);
    check('its own files cannot be changed', (await container.exec('touch', '/opt/weir/dist/main.js')).code !== 0);
  },
};

const adminKey = 'a-key-for-the-smoke-run';

const rolloutProxy: Promises = {
  appPort: 8090,
  healthPath: '/health',
  limitMegabytes: 200,
  needed: ['--env', `ROLLOUT_ADMIN_KEY=${adminKey}`],
  use: async (container, check) => {
    const stranger = await container.call('POST', '/grant_capacity', {}, 'another-key-of-a-stranger');
    check('no stranger grants capacity', stranger.status === 401, stranger);
    await container.call('POST', '/grant_capacity', {}, adminKey);
    const session = await container.call('POST', '/rl/start_session', { task_id: 'smoke' }, adminKey);
    check('a session starts', session.status < 300, session);
    const { api_key: key } = JSON.parse(session.body) as { readonly api_key: string };
    const messages = [{ role: 'user', content: 'Hello' }];
    const completion = { model: 'default', max_tokens: 4, messages };
    const answer = await container.call('POST', '/v1/chat/completions', completion, key);
    check('its built-in model answers', answer.status === 200, answer);
    check('a reward is taken', (await container.call('POST', '/rl/set_reward', { reward: 1 }, key)).status < 300);
    check('the session ends', (await container.call('POST', '/rl/end_session', {}, key)).status < 300);
  },
  remembers: async (container) => {
    const trajectories = { session_id: 'smoke-0', style: 'concat' };
    const { status, body } = await container.call('POST', '/export_trajectories', trajectories, adminKey);
    return status === 200 && body.includes('smoke-0');
  },
  refuses: async (container, check) => {
    check('there is no shell', (await container.exec('sh', '-c', 'true')).code !== 0);
    const change = 'require("node:fs").appendFileSync("/opt/weir/dist/main.js", " ")';
    check('its own files cannot be changed', (await container.exec('node', '-e', change)).code !== 0);
    const user = await container.exec('node', '-p', 'process.getuid()');
    check('the process is not root', /^[1-9]\d*$/.test(user.stdout.trim()), user.stdout);
  },
};

export const promises = { 'workflow-api': workflowServer, 'rollout-proxy': rolloutProxy } as const;

/** Runs an image as people will, and throws at the first thing that is not as promised. */
export async function smoke(promised: Promises, { engine, image, report }: SmokeOptions): Promise<void> {
  const check: Check = (what, isTrue, found = '') => {
    if (!isTrue) throw new Error(`${what}: no ${JSON.stringify(found)}`);
    report(`ok  ${what}`);
  };
  const volume = `weir-smoke-${process.pid}`;
  const names = [`${volume}-plain`, `${volume}-hardened`] as const;
  const { appPort, healthPath, needed } = promised;
  const run = (name: string, more: readonly string[]) =>
    runContainer({
      engine,
      image,
      volume,
      appPort,
      healthPath,
      name,
      port: 18_080,
      extraArguments: [...needed, ...more],
    });
  let current: Container | undefined;
  try {
    await checkImage(promised, { engine, image }, check);

    current = await run(names[0], []);
    report(`ok  answers ${await current.untilHealthy()} ms after its start`);
    await promised.use(current, check);
    await checkStop(current, check);
    await current.start();
    await current.untilHealthy();
    check('the data is there after a restart', await promised.remembers(current));
    await checkStop(current, check);
    await engine.docker(['rm', names[0]]);

    current = await run(names[1], hardened);
    await current.untilHealthy();
    check('runs on a read-only root file system without capabilities', true);
    check('the data is there in another container', await promised.remembers(current));
    await promised.refuses(current, check);
    await current.untilMarkedHealthy();
    check('Docker calls it healthy', true);
    await checkStop(current, check);
  } catch (error) {
    report(`--- last lines of the container\n${(await current?.logs()) ?? ''}`);
    throw error;
  } finally {
    for (const name of names) await engine.docker(['rm', '--force', name]);
    await engine.docker(['volume', 'rm', '--force', volume]);
  }
}

async function checkImage(
  { appPort, limitMegabytes }: Promises,
  { engine, image }: Pick<SmokeOptions, 'engine' | 'image'>,
  check: Check,
): Promise<void> {
  const { stdout } = await engine.docker(['image', 'inspect', image]);
  const [{ Config: config, Size: size } = { Config: undefined, Size: 0 }] = JSON.parse(stdout) as {
    Config: ImageConfig;
    Size: number;
  }[];
  const { User = '', Volumes = {}, ExposedPorts = {}, Healthcheck } = config ?? {};
  check('the image names a user by number', /^[1-9]\d*(:\d+)?$/.test(User), User);
  check('the image has a volume for its state', volumePath in (Volumes ?? {}), Volumes);
  check(`the image exposes ${appPort}`, `${appPort}/tcp` in (ExposedPorts ?? {}), ExposedPorts);
  check('the image has a health check', Boolean(Healthcheck));
  check(`the image has at most ${limitMegabytes} MB (${Math.round(size / 1e6)} MB)`, size <= limitMegabytes * 1e6);
}

async function checkStop(container: Container, check: Check): Promise<void> {
  const { exitCode, seconds } = await container.stop();
  check(`stops cleanly (${seconds.toFixed(1)} s)`, exitCode === 0, exitCode);
}
