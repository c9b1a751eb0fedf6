import type { PackageRegistry } from '../../inputs/settings';
import type { Variable } from '../../report/variables';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { registryUsers } from '../docker/docker-config';
import { readClientFile, type ClientConfig } from './client-config';

/**
 * The netrc file of the user, with the hosts. Clients send the token to these hosts only, whatever URL they are given, and
 * the variables with the indexes contain no secret.
 */
export function configurePython(
  env: ActionsRuntime['env'],
  registries: readonly PackageRegistry[],
  token: string,
): ClientConfig {
  const hosts = [...new Set(registries.map(({ url }) => new URL(url).host))];
  const entries = hosts.map((host) => `machine ${host} login ${registryUsers.google} password ${token}\n`);
  // Some clients use the first entry for a host, others the last one.
  const others = hosts.reduce(removeMachine, readClientFile(env, 'NETRC', ['.netrc', '_netrc']));
  return {
    client: 'pip and uv',
    fileName: 'netrc',
    text: [...entries, others].join(''),
    output: 'netrc_file',
    variables: (file) => [['NETRC', file], ...listIndexes(env, registries)],
  };
}

function removeMachine(text: string, host: string): string {
  const name = host.replaceAll('.', String.raw`\.`);
  return text.replaceAll(
    new RegExp(String.raw`(?<!\S)machine\s+${name}(?:\s+(?:login|user|account|password)\s+\S+)*(?!\S)\s*`, 'g'),
    '',
  );
}

function listIndexes(env: ActionsRuntime['env'], registries: readonly PackageRegistry[]): readonly Variable[] {
  const index = registries.find(({ name }) => name === '');
  const extra = registries.filter(({ name }) => name !== '').map(toIndex);
  const only = index === undefined ? [] : ['PIP_INDEX_URL', 'UV_DEFAULT_INDEX'];
  const beside = extra.length === 0 ? [] : ['PIP_EXTRA_INDEX_URL', 'UV_INDEX'];
  return [
    ...only.map((name) => [name, index === undefined ? '' : toIndex(index)] as const),
    ...beside.map((name) => [name, [...new Set([...splitWords(env[name]), ...extra])].join(' ')] as const),
  ];
}

function toIndex({ url }: PackageRegistry): string {
  return `${url}/simple/`;
}

function splitWords(text = ''): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
