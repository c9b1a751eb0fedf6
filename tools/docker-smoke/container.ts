import type { Engine } from './engine';
import { eventually, runCommand } from './run-command';

const appPort = 8080;
const startLimitMs = 30_000;
const stopLimitSeconds = 20;

/** A call from where the container's ports are; prints status and body. */
const callScript = `
const [url, method, body] = process.argv.slice(1);
const headers = body === '' ? {} : { 'content-type': 'application/json' };
fetch(url, { method, headers, body: body === '' ? undefined : body, signal: AbortSignal.timeout(5000) })
  .then(async (answer) => console.log(JSON.stringify({ status: answer.status, body: await answer.text() })))
  .catch((error) => { console.error(String(error.cause ?? error)); process.exitCode = 1; });
`;

export interface ContainerOptions {
  readonly engine: Engine;
  readonly image: string;
  readonly volume: string;
  readonly port: number;
  readonly name: string;
  readonly extraArguments: readonly string[];
}

export interface Container {
  /** Waits for the first healthy answer; gives the time it took. */
  untilHealthy(): Promise<number>;
  untilMarkedHealthy(): Promise<void>;
  call(method: string, route: string, body?: unknown): Promise<number>;
  exec(...command: string[]): Promise<{ readonly code: number; readonly stdout: string }>;
  stop(): Promise<{ readonly exitCode: number; readonly seconds: number }>;
  start(): Promise<void>;
  logs(): Promise<string>;
}

export async function runContainer(options: ContainerOptions): Promise<Container> {
  const { engine, image, volume, port, name, extraArguments } = options;
  const docker = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await engine.docker(args);
    if (code !== 0) throw new Error(`docker ${args[0] ?? ''} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
  const call = async (method: string, route: string, body?: unknown): Promise<number> => {
    const url = `http://127.0.0.1:${port}/api/v1${route}`;
    const text = body === undefined ? '' : JSON.stringify(body);
    const { code, stdout } = await runCommand(
      [...engine.networkPrefix, process.execPath, '-e', callScript, url, method, text],
      { timeoutMs: 15_000 },
    );
    return code === 0 ? (JSON.parse(stdout) as { status: number }).status : 0;
  };
  await docker(
    ...['run', '--detach', '--name', name, '--publish', `127.0.0.1:${port}:${appPort}`],
    ...['--volume', `${volume}:/var/lib/weir`, ...extraArguments, image],
  );
  return {
    call,
    untilHealthy: async () => {
      const since = Date.now();
      await eventually('a healthy answer', startLimitMs, async () =>
        (await call('GET', '/health')) === 200 ? true : undefined,
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
