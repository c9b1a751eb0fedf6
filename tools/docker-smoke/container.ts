import { callPublished, type Answer } from './call-published';
import type { Engine } from './engine';
import { eventually } from './run-command';

const startLimitMs = 30_000;
const stopLimitSeconds = 20;

export interface ContainerOptions {
  readonly engine: Engine;
  readonly image: string;
  readonly volume: string;
  /** The port of the program, which is published as `port`. */
  readonly appPort: number;
  readonly port: number;
  readonly healthPath: string;
  readonly name: string;
  readonly extraArguments: readonly string[];
}

export interface Container {
  /** Waits for the first healthy answer; gives the time it took. */
  untilHealthy(): Promise<number>;
  untilMarkedHealthy(): Promise<void>;
  call(method: string, route: string, body?: unknown, token?: string): Promise<Answer>;
  exec(...command: string[]): Promise<{ readonly code: number; readonly stdout: string }>;
  stop(): Promise<{ readonly exitCode: number; readonly seconds: number }>;
  start(): Promise<void>;
  logs(): Promise<string>;
}

export async function runContainer(options: ContainerOptions): Promise<Container> {
  const { engine, image, volume, appPort, port, healthPath, name, extraArguments } = options;
  const docker = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await engine.docker(args);
    if (code !== 0) throw new Error(`docker ${args[0] ?? ''} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
  const call = (method: string, route: string, body?: unknown, token?: string): Promise<Answer> =>
    callPublished(engine, { method, url: `http://127.0.0.1:${port}${route}`, body, token });
  await docker(
    ...['run', '--detach', '--name', name, '--publish', `127.0.0.1:${port}:${appPort}`],
    ...['--volume', `${volume}:/var/lib/weir`, ...extraArguments, image],
  );
  return {
    call,
    untilHealthy: async () => {
      const since = Date.now();
      await eventually('a healthy answer', startLimitMs, async () =>
        (await call('GET', healthPath)).status === 200 ? true : undefined,
      );
      return Date.now() - since;
    },
    untilMarkedHealthy: async () => {
      await eventually('the health check', 60_000, async () =>
        (await docker('inspect', '--format', '{{.State.Health.Status}}', name)) === 'healthy' ? true : undefined,
      );
    },
    exec: (...command) => engine.docker(['exec', name, ...command]),
    stop: async () => {
      const since = Date.now();
      await docker('stop', '--time', String(stopLimitSeconds), name);
      const exitCode = Number(await docker('inspect', '--format', '{{.State.ExitCode}}', name));
      return { exitCode, seconds: (Date.now() - since) / 1000 };
    },
    start: async () => {
      await docker('start', name);
    },
    logs: async () => {
      const { stdout, stderr } = await engine.docker(['logs', '--tail', '40', name]);
      return `${stdout}${stderr}`;
    },
  };
}
