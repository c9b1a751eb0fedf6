import { isAbsolute, join, resolve } from 'node:path';
import type Docker from 'dockerode';
import type { JsonObject } from '@weir/workflow-spec';
import { actionFailed } from '../../model/steps/action-errors';
import { durationMs } from '../../values/text/duration';
import { asObject } from '@weir/foundation';
import type { ContainerSettings, NewContainerSettings } from './container-settings';

/** The values that a container gets from its run. */
export interface ContainerContext {
  /** A folder of the host; the base of relative volume sources. */
  readonly cwd: string;
  /** Variables of the host, which give the address of the engine and the meaning of `~`. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of every process in the container. */
  readonly containerEnv: Readonly<Record<string, string>>;
  /** Identify the containers that a crash leaves behind. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The main process; defaults to that of the image. */
export interface MainProcess {
  readonly Entrypoint?: string[];
  readonly Cmd?: string[];
}

/** Converts the settings to the engine's format. Raw settings of the DAG override them, except for our labels. */
export function containerOptions(
  settings: NewContainerSettings,
  host: ContainerContext,
  main: MainProcess,
): Docker.ContainerCreateOptions {
  const ports = (settings.ports ?? []).flatMap(parsePorts);
  const raw = settings.container ?? {};
  const options = {
    Image: settings.image,
    ...text('name', settings.name),
    ...text('platform', settings.platform),
    ...text('User', settings.user),
    ...text('WorkingDir', settings.working_dir),
    ...main,
    Env: [...Object.entries(host.containerEnv).map(([name, value]) => `${name}=${value}`), ...(settings.env ?? [])],
    ...(settings.healthcheck === undefined ? {} : { Healthcheck: healthcheck(settings.healthcheck) }),
    ExposedPorts: Object.fromEntries(ports.map(({ container }) => [container, {}])),
    ...network(settings),
    ...raw,
    Labels: { ...asObject(raw.Labels), ...host.labels },
    HostConfig: {
      Binds: (settings.volumes ?? []).map((volume) => toBind(volume, host)),
      PortBindings: bindings(ports),
      AutoRemove: settings.auto_remove === true,
      ...restartPolicy(settings),
      ...networkMode(settings),
      ...asObject(raw.HostConfig),
      ...settings.host,
    },
  };
  // Raw settings may have any form; the engine validates them.
  return options as Docker.ContainerCreateOptions;
}

function text(name: string, value: string | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function toBind(volume: string, { cwd, env }: ContainerContext): string {
  const at = volume.indexOf(':');
  const source = volume.slice(0, at);
  // A bare word is a named volume.
  if (!/^[.~/]/.test(source)) return volume;
  const { HOME: home } = env;
  const path =
    /^~(?:\/|$)/.test(source) && home !== undefined && isAbsolute(home) ? join(home, source.slice(1)) : source;
  return `${resolve(cwd, path)}${volume.slice(at)}`;
}

interface PortBinding {
  readonly container: string;
  readonly address: string;
  /** Empty for a port chosen by the engine. */
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

function restartPolicy(settings: ContainerSettings): JsonObject {
  const [Name = 'no', count = '0'] = (settings.restart_policy ?? 'no').split(':');
  return Name === 'no' ? {} : { RestartPolicy: { Name, MaximumRetryCount: Number(count) } };
}

function network(settings: ContainerSettings): JsonObject {
  const raw = asObject(settings.network);
  return raw === undefined ? {} : { NetworkingConfig: raw };
}

function networkMode(settings: ContainerSettings): JsonObject {
  const name = settings.network;
  return typeof name === 'string' ? { NetworkMode: name } : {};
}

const nanosecondsInMs = 1_000_000;

function healthcheck(given: NonNullable<ContainerSettings['healthcheck']>): JsonObject {
  const { test: words, retries = 0 } = given;
  const [first = ''] = words;
  const isMarked = ['CMD', 'CMD-SHELL', 'NONE'].includes(first);
  const time = (name: 'interval' | 'timeout' | 'start_period') => durationMs(name, given[name], 0) * nanosecondsInMs;
  return {
    Test: isMarked ? words : words.length === 1 ? ['CMD-SHELL', first] : ['CMD', ...words],
    Interval: time('interval'),
    Timeout: time('timeout'),
    StartPeriod: time('start_period'),
    Retries: retries,
  };
}
