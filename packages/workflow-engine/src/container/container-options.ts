import { isAbsolute, join, resolve } from 'node:path';
import type Docker from 'dockerode';
import type { JsonObject } from '@weir/workflow-spec';
import { actionSettings, asObject, type ActionSettings } from '../actions/action-settings';
import { actionFailed } from '../actions/action-errors';
import { durationMs } from '../actions/duration';

/** What of a run a container is told and named by. */
export interface ContainerContext {
  /** Of the host: relative sources of volumes go by it. */
  readonly cwd: string;
  /** Of the host: where the engine is, and where `~` leads. */
  readonly env: Readonly<Record<string, string>>;
  /** For every process in the container. */
  readonly containerEnv: Readonly<Record<string, string>>;
  /** By which what a crash left behind is found. */
  readonly labels: Readonly<Record<string, string>>;
}

/** What its first process is; the image's own where nothing is given. */
export interface MainProcess {
  readonly Entrypoint?: string[];
  readonly Cmd?: string[];
}

/** The engine's form of the settings. What the DAG hands on as it is comes last, but for our labels. */
export function containerOptions(
  settings: ActionSettings,
  place: ContainerContext,
  main: MainProcess,
): Docker.ContainerCreateOptions {
  const ports = settings.texts('ports').flatMap(parsePorts);
  const raw = asObject(settings.value('container')) ?? {};
  const options = {
    Image: settings.required('image'),
    ...text('name', settings.text('name')),
    ...text('platform', settings.text('platform')),
    ...text('User', settings.text('user')),
    ...text('WorkingDir', settings.text('working_dir')),
    ...main,
    Env: [...Object.entries(place.containerEnv).map(([name, value]) => `${name}=${value}`), ...settings.texts('env')],
    ...(settings.has('healthcheck') ? { Healthcheck: healthcheck(settings) } : {}),
    ExposedPorts: Object.fromEntries(ports.map(({ container }) => [container, {}])),
    ...network(settings),
    ...raw,
    Labels: { ...asObject(raw.Labels), ...place.labels },
    HostConfig: {
      Binds: settings.texts('volumes').map((volume) => toBind(volume, place)),
      PortBindings: bindings(ports),
      AutoRemove: settings.flag('auto_remove'),
      ...restartPolicy(settings),
      ...networkMode(settings),
      ...asObject(raw.HostConfig),
      ...asObject(settings.value('host')),
    },
  };
  // What is handed on as it is may have any form; the engine judges it.
  return options as Docker.ContainerCreateOptions;
}

function text(name: string, value: string | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function toBind(volume: string, { cwd, env }: ContainerContext): string {
  const at = volume.indexOf(':');
  const source = volume.slice(0, at);
  // A bare word is a volume that the engine keeps.
  if (!/^[.~/]/.test(source)) return volume;
  const { HOME: home } = env;
  const path =
    /^~(?:\/|$)/.test(source) && home !== undefined && isAbsolute(home) ? join(home, source.slice(1)) : source;
  return `${resolve(cwd, path)}${volume.slice(at)}`;
}

interface PortBinding {
  readonly container: string;
  readonly address: string;
  /** Empty lets the engine choose. */
  readonly host: string;
}

function parsePorts(port: string): readonly PortBinding[] {
  const form =
    /^(?:(?:(?<address>[\d.]+|\[[^\]]*\]|localhost):)?(?:(?<host>[\d-]+)?):)?(?<container>[\d-]+)(?:\/(?<kind>\w+))?$/;
  const { address = '', host = '', container = '', kind = 'tcp' } = form.exec(port)?.groups ?? {};
  const inside = parseRange(container);
  const outside = host === '' ? inside.map(() => '') : parseRange(host);
  if (inside.length === 0 || outside.length !== inside.length) throw actionFailed('ports has ranges of two lengths.');
  const plain = address === 'localhost' ? '127.0.0.1' : address.replace(/^\[|\]$/g, '');
  return inside.map((number, index) => ({
    container: `${number}/${kind}`,
    address: plain,
    host: outside[index] ?? '',
  }));
}

function parseRange(text: string): readonly string[] {
  const [first = '', last = first] = text.split('-');
  const length = Number(last) - Number(first) + 1;
  return Array.from({ length: Math.max(0, length) }, (_, index) => String(Number(first) + index));
}

function bindings(ports: readonly PortBinding[]): JsonObject {
  const byPort = new Map<string, JsonObject[]>();
  for (const { container, address, host } of ports) {
    byPort.set(container, [...(byPort.get(container) ?? []), { HostIp: address, HostPort: host }]);
  }
  return Object.fromEntries(byPort);
}

function restartPolicy(settings: ActionSettings): JsonObject {
  const [Name = 'no', count = '0'] = (settings.text('restart_policy') ?? 'no').split(':');
  return Name === 'no' ? {} : { RestartPolicy: { Name, MaximumRetryCount: Number(count) } };
}

function network(settings: ActionSettings): JsonObject {
  const raw = asObject(settings.value('network'));
  return raw === undefined ? {} : { NetworkingConfig: raw };
}

function networkMode(settings: ActionSettings): JsonObject {
  const name = settings.value('network');
  return typeof name === 'string' ? { NetworkMode: name } : {};
}

const nanosecondsInMs = 1_000_000;

function healthcheck(settings: ActionSettings): JsonObject {
  const given = actionSettings(asObject(settings.value('healthcheck')) ?? {});
  const words = given.texts('test');
  const [first = ''] = words;
  const isMarked = ['CMD', 'CMD-SHELL', 'NONE'].includes(first);
  const time = (name: string) => (durationMs(given, name) ?? 0) * nanosecondsInMs;
  return {
    Test: isMarked ? words : words.length === 1 ? ['CMD-SHELL', first] : ['CMD', ...words],
    Interval: time('interval'),
    Timeout: time('timeout'),
    StartPeriod: time('start_period'),
    Retries: given.number('retries') ?? 0,
  };
}
