import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { PackageRegistry } from '../../inputs/settings';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { readBoundedFile, readUserFile, smallFileBytes } from '../../runner/read-bounded-file';
import { registryUsers } from '../docker/docker-config';
import { findHome, isSet, type ClientConfig } from './client-config';
import { insertIntoElement } from './insert-into-element';

/**
 * The settings of the installation, with the registries. The settings of the user and those that a command names stay
 * theirs: Maven merges the two, and has only one file of either kind.
 */
export function configureMaven(
  { env, warning }: Pick<ActionsRuntime, 'env' | 'warning'>,
  registries: readonly PackageRegistry[],
  token: string,
): ClientConfig {
  for (const { name } of registries.filter(({ name }) => hasServer(readUserSettings(env), name))) {
    warning(`The settings of the user have a server ${name} too, which Maven prefers to that of maven_registries.`);
  }
  return {
    client: 'Maven',
    fileName: 'settings.xml',
    text: registries.reduce((settings, registry) => addRegistry(settings, registry, token), readSettings(env)),
    output: 'maven_settings_file',
    variables: (file) => [['MAVEN_ARGS', formatArguments(env, registries, file)]],
  };
}

/** The settings of Maven without an installation: it refuses repositories on http. */
const emptySettings = `<settings>
<mirrors>
<mirror><id>maven-default-http-blocker</id><mirrorOf>external:http:*</mirrorOf><url>http://0.0.0.0/</url><blocked>true</blocked></mirror>
</mirrors>
</settings>
`;
const globalSettings = /(?<!\S)(?:-gs|--global-settings)(?:=|\s+)(\S+)/;

function readSettings(env: ActionsRuntime['env']): string {
  const [, given] = globalSettings.exec(env.MAVEN_ARGS ?? '') ?? [];
  if (given !== undefined) return readBoundedFile(given, smallFileBytes);
  const file = findInstalledSettings(env);
  const text = file === undefined ? '' : readUserFile(file);
  return text.trim() === '' ? emptySettings : text;
}

/** What the commands of the job name is unknown. */
function readUserSettings(env: ActionsRuntime['env']): string {
  const home = findHome(env);
  return home === undefined ? '' : readUserFile(path.join(home, '.m2', 'settings.xml'));
}

function hasServer(settings: string, id: string): boolean {
  const servers = settings.replaceAll(/<!--.*?-->/gs, '').match(/<server>.*?<\/server>/gs) ?? [];
  return servers.some((server) => /<id>\s*([^<]*?)\s*<\/id>/.exec(server)?.[1] === id);
}

function findInstalledSettings({ MAVEN_HOME: home, M2_HOME: oldHome, PATH = '' }: ActionsRuntime['env']) {
  const given = [home, oldHome].find(isSet);
  const folder = given ?? PATH.split(path.delimiter).map(findInstallation).find(isSet);
  return folder === undefined ? undefined : path.join(folder, 'conf', 'settings.xml');
}

function findInstallation(folder: string): string | undefined {
  try {
    return folder === '' ? undefined : path.resolve(realpathSync(path.join(folder, 'mvn')), '../..');
  } catch {
    return undefined;
  }
}

/** A mirror is what Maven downloads from instead of the repository with this id, so the pom cannot name another host. */
function addRegistry(settings: string, { name: id, url }: PackageRegistry, token: string): string {
  const [start, end] = [`<!-- auth-action: ${id} -->`, `<!-- /auth-action: ${id} -->\n`];
  const server = `<server><id>${id}</id><username>${registryUsers.google}</username><password>${token}</password>${wagon}</server>`;
  const mirror = `<mirror><id>${id}</id><mirrorOf>${id}</mirrorOf><url>${url}</url></mirror>`;
  const others = removeBlocks(settings, start, end);
  const withServer = insertIntoElement(others, 'servers', `${start}${server}${end}`);
  return insertIntoElement(withServer, 'mirrors', `${start}${mirror}${end}`);
}

/** Before version 3.9. The registry does not ask for the credentials. */
const wagon =
  '<configuration><httpConfiguration><all><usePreemptive>true</usePreemptive></all></httpConfiguration></configuration>';

/** Removes what an earlier step added. */
function removeBlocks(text: string, start: string, end: string): string {
  const [before = '', ...blocks] = text.split(start);
  return [before, ...blocks.map((block) => block.slice(block.indexOf(end) + end.length))].join('');
}

/** From version 3.9 on. Maven uses the first of several settings, and versions 3 and 4 have names of their own. */
function formatArguments(env: ActionsRuntime['env'], registries: readonly PackageRegistry[], file: string): string {
  if (/\s/.test(file)) throw new Error(`the variable MAVEN_ARGS cannot contain "${file}", because it has a space`);
  const given = (env.MAVEN_ARGS ?? '').replace(globalSettings, '').split(/\s+/);
  const added = registries.flatMap(({ name }) =>
    ['connector', 'transport'].map((part) => `-Daether.${part}.http.preemptiveAuth.${name}=true`),
  );
  return [`--global-settings ${file}`, ...new Set([...added, ...given.filter(isSet)])].join(' ');
}
