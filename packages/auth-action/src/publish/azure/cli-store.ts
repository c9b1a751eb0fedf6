import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';
import type { AzureSettings } from '../../inputs/cloud-settings';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { toJsonObject } from '../../runner/json-object';

/** The service principal of the Azure CLI whose assertion is renewed. Contains no secret. */
export interface CliAccount {
  /** The folder of the CLI. */
  readonly folder: string;
  readonly clientId: string;
  readonly tenantId: string;
}

/** The account that the CLI will have, if it is signed in with an OIDC token. */
export function findCliAccount(
  { credential, clientId, tenantId, tools }: AzureSettings,
  env: ActionsRuntime['env'],
): CliAccount | undefined {
  const home = [env.HOME, env.USERPROFILE].find((folder) => folder);
  const [folder] = [env.AZURE_CONFIG_DIR, home && path.join(home, '.azure')].filter((each) => each);
  if (credential.kind !== 'federated' || tools.cli === 'never' || !folder) return undefined;
  return clientId === undefined || tenantId === undefined ? undefined : { folder, clientId, tenantId };
}

/**
 * Gives the CLI a new assertion, because it keeps the one of its sign-in and reads no token file. Another sign-in would
 * list the subscriptions again and change the default that a later step chose. Returns false if the CLI has no assertion
 * of this principal in a readable form: it encrypts them where the system can. Throws for a file that is being written.
 */
export function replaceAssertion({ folder, clientId, tenantId }: CliAccount, assertion: string): boolean {
  const file = path.join(folder, 'service_principal_entries.json');
  const text = readText(file);
  if (text === undefined) return false;
  const before = statSync(file);
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) return false;
  const isOurs = (entry: unknown): boolean => {
    const { client_id: client, tenant, client_assertion: given } = toJsonObject(entry) ?? {};
    return client === clientId && tenant === tenantId && typeof given === 'string';
  };
  if (!entries.some(isOurs)) return false;
  const renewed = entries.map((entry: unknown) =>
    isOurs(entry) ? { ...toJsonObject(entry), client_assertion: assertion } : entry,
  );
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, JSON.stringify(renewed, undefined, 4), { mode: 0o600 });
  const now = statSync(file);
  // Another sign-in that wrote meanwhile must not be lost.
  if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) {
    rmSync(next);
    throw new Error('The Azure CLI wrote its accounts meanwhile.');
  }
  renameSync(next, file);
  return true;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
