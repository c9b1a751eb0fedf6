import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RegistrySignIn } from '../../clouds/cloud-sign-in';
import { parseJsonObject, toJsonObject, type JsonObject } from '../../runner/json-object';
import { readUserFile } from '../../runner/read-bounded-file';

/** The user names for Google Cloud and AWS. */
export const registryUsers = { google: 'oauth2accesstoken', aws: 'AWS' } as const;

/** A registry that was added, and the credential helper that it had. */
export interface AddedRegistry {
  readonly host: string;
  readonly helper: string | undefined;
}

/** Adds sign-ins, and returns what to undo. The configuration must be an object. */
export function addRegistries(
  config: JsonObject,
  registries: readonly RegistrySignIn[],
): { readonly config: JsonObject; readonly added: readonly AddedRegistry[] } {
  const helpers = toJsonObject(config.credHelpers) ?? {};
  const added = registries.map(({ host }) => {
    const helper = helpers[host];
    return { host, helper: typeof helper === 'string' ? helper : undefined };
  });
  // Docker asks a helper or a store first. An empty helper makes it read the file for this host.
  const isStored = typeof config.credsStore === 'string' && config.credsStore !== '';
  const emptied = added.filter(({ helper }) => isStored || helper !== undefined).map(({ host }) => [host, ''] as const);
  return {
    added,
    config: {
      ...config,
      auths: {
        ...toJsonObject(config.auths),
        ...Object.fromEntries(registries.map(({ host, auth }) => [host, { auth }])),
      },
      ...(emptied.length > 0 && { credHelpers: { ...helpers, ...Object.fromEntries(emptied) } }),
    },
  };
}

/** Removes the sign-ins that {@link addRegistries} added, and restores the helpers. */
export function removeRegistries(config: JsonObject, added: readonly AddedRegistry[]): JsonObject {
  const isOurs = (host: string, entry: unknown): boolean =>
    added.some((registry) => registry.host === host) && isOurUser(readUser(entry));
  const auths = Object.entries(toJsonObject(config.auths) ?? {}).filter(([host, entry]) => !isOurs(host, entry));
  const helpers = Object.entries(toJsonObject(config.credHelpers) ?? {}).flatMap(([host, helper]) => {
    const registry = added.find((candidate) => candidate.host === host);
    if (registry === undefined || helper !== '') return [[host, helper] as const];
    return registry.helper === undefined ? [] : [[host, registry.helper] as const];
  });
  const { auths: _auths, credHelpers: _helpers, ...others } = config;
  return {
    ...others,
    ...(auths.length > 0 && { auths: Object.fromEntries(auths) }),
    ...(helpers.length > 0 && { credHelpers: Object.fromEntries(helpers) }),
  };
}

function isOurUser(user: string | undefined): boolean {
  return Object.values<string | undefined>(registryUsers).includes(user);
}

function readUser(entry: unknown): string | undefined {
  const auth = toJsonObject(entry)?.auth;
  return typeof auth === 'string' ? Buffer.from(auth, 'base64').toString('utf8').split(':')[0] : undefined;
}

/** Empty if there is no file. Throws if it is not a JSON object. */
export function readDockerConfig(file: string): JsonObject {
  const text = readUserFile(file);
  const config = text.trim() === '' ? {} : parseJsonObject(text);
  if (config === undefined) throw new Error('it is not a JSON object');
  return config;
}

/** Replaces the file as a whole; removes it if nothing is left to configure. */
export function writeDockerConfig(file: string, config: JsonObject): void {
  if (Object.keys(config).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
