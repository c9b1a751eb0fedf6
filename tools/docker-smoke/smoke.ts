import { runContainer, type Container } from './container';
import type { Engine } from './engine';

const admin = { username: 'smoke-admin', password: 'a long phrase for the smoke run 4711' };
const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const port = 18_080;

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

/** Runs the image as people will, and throws at the first thing that is not as promised. */
export async function smoke({ engine, image, report }: SmokeOptions): Promise<void> {
  const check = (what: string, isTrue: boolean, found: unknown = ''): void => {
    if (!isTrue) throw new Error(`${what}: no ${JSON.stringify(found)}`);
    report(`ok  ${what}`);
  };
  const volume = `weir-smoke-${process.pid}`;
  const names = [`${volume}-plain`, `${volume}-hardened`] as const;
  const run = (name: string, extraArguments: readonly string[]) =>
    runContainer({ engine, image, volume, port, name, extraArguments });
  let current: Container | undefined;
  try {
    await checkImage(engine, image, check);

    current = await run(names[0], []);
    report(`ok  answers ${await current.untilHealthy()} ms after its start`);
    check('no stranger makes the first admin', (await current.call('POST', '/auth/setup', admin)) === 403);
    const { stdout: setupToken } = await current.exec('cat', '/var/lib/weir/auth/setup_token');
    const setup = await current.call('POST', '/auth/setup', { ...admin, setupToken });
    check('the first admin can be made', setup === 200 || setup === 201, setup);
    await checkStop(current, check);
    await current.start();
    await current.untilHealthy();
    check('the data is there after a restart', (await current.call('POST', '/auth/setup', admin)) === 403);
    await checkStop(current, check);
    await engine.docker(['rm', names[0]]);

    current = await run(names[1], hardened);
    await current.untilHealthy();
    check('runs on a read-only root file system without capabilities', true);
    check('the data is there in another container', (await current.call('POST', '/auth/setup', admin)) === 403);
    const user = await current.exec('id', '-u');
    check('the process is not root', /^[1-9]\d*$/.test(user.stdout.trim()), user.stdout);
    check('its own files cannot be changed', (await current.exec('touch', '/opt/weir/dist/main.js')).code !== 0);
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

type Check = (what: string, isTrue: boolean, found?: unknown) => void;

async function checkImage(engine: Engine, image: string, check: Check): Promise<void> {
  const { stdout } = await engine.docker(['image', 'inspect', image]);
  const [{ Config: config, Size: size } = { Config: undefined, Size: 0 }] = JSON.parse(stdout) as {
    Config: ImageConfig;
    Size: number;
  }[];
  check('the image names a user by number', /^[1-9]\d*(:\d+)?$/.test(config?.User ?? ''), config?.User);
  check('the image has a volume for its state', '/var/lib/weir' in (config?.Volumes ?? {}), config?.Volumes);
  check('the image exposes 8080', '8080/tcp' in (config?.ExposedPorts ?? {}), config?.ExposedPorts);
  check('the image has a health check', Boolean(config?.Healthcheck));
  check(`the image is below 320 MB (${Math.round(size / 1e6)} MB)`, size < 320e6);
}

async function checkStop(container: Container, check: Check): Promise<void> {
  const { exitCode, seconds } = await container.stop();
  check(`stops cleanly (${seconds.toFixed(1)} s)`, exitCode === 0, exitCode);
}
