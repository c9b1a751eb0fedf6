import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { parse } from 'yaml';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../files/error-code';
import { actionPath, type PathCall } from '../files/action-paths';

type Settings = SettingsFor<'kubernetes.run'>;

/** Address and credentials of an API server. */
export interface ClusterAccess {
  readonly server: string;
  readonly namespace: string;
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly serverName?: string | undefined;
  readonly isUnchecked: boolean;
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';
const maxFileBytes = 4_194_304;

/**
 * From the settings, the pod of the server when it is asked for, or a kubeconfig. Programs that a kubeconfig names to
 * sign in are not started: they would run as the server and not as the step.
 */
export async function clusterAccess(call: PathCall, settings: Settings): Promise<ClusterAccess> {
  const { server, in_cluster: isInside, namespace } = settings;
  if (server !== undefined) {
    const ca =
      settings.ca_file === undefined ? undefined : await readNamed('ca_file', actionPath(call, settings.ca_file));
    return { server, token: settings.token, ca, namespace: namespace ?? 'default', isUnchecked: false };
  }
  if (isInside === true) return podAccess(namespace);
  const { KUBECONFIG: usual = '~/.kube/config' } = call.env;
  const file = actionPath(call, settings.kubeconfig ?? usual);
  return kubeconfigAccess(file, settings);
}

/** Uses the service account of the pod that this process runs in. */
export async function podAccess(namespace: string | undefined): Promise<ClusterAccess> {
  const read = (name: string) => readNamed('in_cluster', join(accountFolder, name));
  const [token, ca, own] = [await read('token'), await read('ca.crt'), await read('namespace')];
  return {
    server: 'https://kubernetes.default.svc',
    token: token.trim(),
    ca,
    namespace: namespace ?? own.trim(),
    isUnchecked: false,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The settings that replace defaults of a kubeconfig. */
interface Choice {
  readonly context?: string;
  readonly namespace?: string;
}

export async function kubeconfigAccess(file: string, settings: Choice): Promise<ClusterAccess> {
  const config = toFields(parseYaml(await readNamed('kubeconfig', file)));
  const contextName = settings.context ?? textOf(config, 'current-context');
  if (contextName === undefined) throw actionFailed('The kubeconfig has no current context. Name one with context.');
  const context = findNamed(config, 'contexts', contextName, 'context');
  const cluster = findNamed(config, 'clusters', textOf(context, 'cluster') ?? '', 'cluster');
  const userName = textOf(context, 'user');
  const user = userName === undefined ? {} : findNamed(config, 'users', userName, 'user');
  if (user.exec !== undefined || user['auth-provider'] !== undefined) {
    throw actionFailed('The user of the kubeconfig signs in by a program, which is not started here. Use a token.');
  }
  if (cluster['proxy-url'] !== undefined) throw actionFailed('The kubeconfig names a proxy, which is not supported.');
  const server = textOf(cluster, 'server');
  if (server === undefined || !/^https?:\/\//.test(server)) throw actionFailed('The kubeconfig names no server.');
  const data = (fields: Fields, key: string) => readData(fields, key, file);
  const tokenFile = textOf(user, 'tokenFile');
  const password = textOf(user, 'password');
  return {
    server,
    namespace: settings.namespace ?? textOf(context, 'namespace') ?? 'default',
    token: textOf(user, 'token') ?? (tokenFile && (await readNamed('kubeconfig', beside(file, tokenFile))).trim()),
    user: password === undefined ? undefined : `${textOf(user, 'username') ?? ''}:${password}`,
    ca: await data(cluster, 'certificate-authority'),
    cert: await data(user, 'client-certificate'),
    key: await data(user, 'client-key'),
    serverName: textOf(cluster, 'tls-server-name'),
    isUnchecked: cluster['insecure-skip-tls-verify'] === true,
  };
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw actionFailed('The kubeconfig is no YAML.', error);
  }
}

function findNamed(config: Fields, list: string, name: string, inner: string): Fields {
  const entries: readonly unknown[] = Array.isArray(config[list]) ? config[list] : [];
  const found = entries.map(toFields).find((entry) => entry.name === name);
  if (found === undefined) throw actionFailed(`The kubeconfig has no such ${inner}.`);
  return toFields(found[inner]);
}

/** `KEY-data` holds the text itself, `KEY` the path of a file. */
async function readData(fields: Fields, key: string, file: string): Promise<string | undefined> {
  const data = textOf(fields, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const path = textOf(fields, key);
  return path === undefined ? undefined : readNamed('kubeconfig', beside(file, path));
}

function beside(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function readNamed(setting: string, path: string): Promise<string> {
  try {
    const text = await readFile(path, { encoding: 'utf8', signal: AbortSignal.timeout(10_000) });
    if (text.length <= maxFileBytes) return text;
  } catch (error) {
    throw actionFailed(`A file of ${setting} cannot be read (${errorCode(error) ?? 'unknown error'}).`, error);
  }
  throw actionFailed(`A file of ${setting} is longer than ${maxFileBytes} bytes.`);
}
