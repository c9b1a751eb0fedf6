import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { actionFailed } from '../../model/steps/action-errors';
import { asObject } from '@weir/foundation';

/** Credentials by registry host, as a map or as its JSON text. */
export type RegistryAuths = JsonObject | string;

export interface RegistrySignIn {
  readonly username: string;
  readonly password: string;
  readonly serveraddress: string;
}

const publicRegistry = 'docker.io';
const publicNames = [publicRegistry, 'index.docker.io', 'https://index.docker.io/v1/', 'registry-1.docker.io'];

/** The credentials for the registry of an image; `undefined` when there are none. */
export function registrySignIn(auths: RegistryAuths | undefined, image: string): RegistrySignIn | undefined {
  if (auths === undefined) return undefined;
  const map = typeof auths === 'string' ? parse(auths) : auths;
  // As in Docker's config.json, the map may be nested under `auths`.
  const byHost = asObject(map.auths) ?? map;
  const host = findRegistry(image);
  const name = (host === publicRegistry ? publicNames : [host, `https://${host}`]).find((key) =>
    Object.hasOwn(byHost, key),
  );
  return name === undefined ? undefined : parseSignIn(byHost[name], host);
}

/** The part before the first slash, when it is a host name. */
export function findRegistry(image: string): string {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : publicRegistry;
}

function parseSignIn(value: JsonValue | undefined, serveraddress: string): RegistrySignIn {
  const given = asObject(typeof value === 'string' && value.trimStart().startsWith('{') ? parse(value) : value);
  const auth = typeof value === 'string' ? value : given?.auth;
  const { username, password } = given ?? {};
  if (typeof username === 'string' && typeof password === 'string') return { username, password, serveraddress };
  const [, user, secret] =
    /^([^:]+):([\s\S]*)$/.exec(Buffer.from(typeof auth === 'string' ? auth : '', 'base64').toString()) ?? [];
  if (user === undefined || secret === undefined) {
    throw actionFailed(
      'The credentials in registry_auths are neither a user name with a password nor both as one string.',
    );
  }
  return { username: user, password: secret, serveraddress };
}

function parse(text: string): JsonObject {
  try {
    const map = asObject(JSON.parse(text) as JsonValue);
    if (map !== undefined) return map;
  } catch {
    // The error of the parser would quote the text, which contains passwords.
  }
  throw actionFailed('registry_auths is neither a map nor a JSON string of one.');
}
