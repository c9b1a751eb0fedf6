import type { PackageRegistry } from '../../inputs/settings';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { readClientFile, type ClientConfig } from './client-config';

/** The configuration of the user, with the registries. Npm, pnpm and Yarn 1 read it. */
export function configureNpm(
  env: ActionsRuntime['env'],
  registries: readonly PackageRegistry[],
  token: string,
): ClientConfig {
  const values = registries.flatMap(({ name, url }) => {
    const key = name === '' ? 'registry' : `${name}:registry`;
    return [[key, `${url}/`] as const, [`${url.replace(/^https:/, '')}/:_authToken`, token] as const];
  });
  return {
    client: 'npm',
    fileName: 'npmrc',
    text: setValues(readClientFile(env, 'NPM_CONFIG_USERCONFIG', ['.npmrc']), values),
    output: 'npm_config_file',
    variables: (file) => [['NPM_CONFIG_USERCONFIG', file]],
  };
}

/** Replaces the lines with these keys. The new ones precede the first section, in which they would have no effect. */
function setValues(text: string, values: readonly (readonly [key: string, value: string])[]): string {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !values.some(([key]) => key === readKey(line)));
  const section = lines.findIndex((line) => /^\s*\[/.test(line));
  const position = section < 0 ? lines.length : section;
  const added = values.map(([key, value]) => `${key}=${value}`);
  return [...lines.slice(0, position), ...added, ...lines.slice(position), ''].join('\n');
}

function readKey(line: string): string {
  return line.slice(0, line.indexOf('=')).trim();
}
