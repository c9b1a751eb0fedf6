import { createPrivateKey, sign } from 'node:crypto';
import type { ServiceAccountKey } from '../settings';
import { parseAccount } from './account';
import { decodeKey } from './decode-key';
import { hideKey, hideLines } from './hide-key';
import { parsed, wrong, type Parsed, type Wrong } from './parsed';

type KeyJson = Readonly<Record<string, unknown>>;

const required = ['client_email', 'private_key', 'private_key_id'] as const;

/** A usable service-account key. All of it is hidden before anything is checked that could fail. */
export function parseKey(text: string, hide: (secret: string) => void): Parsed<ServiceAccountKey> {
  hideLines(text, hide);
  const decoded = decodeKey(text);
  if (!decoded.ok) return decoded;
  hideKey(decoded.value, hide);
  return checkKey(decoded.value);
}

function checkKey(json: KeyJson): Parsed<ServiceAccountKey> {
  if (json.type !== 'service_account') return wrongType(json.type);
  const missing = required.filter((field) => textOf(json, field) === undefined);
  if (missing.length > 0) {
    return wrong('key_incomplete', `has no ${missing.join(', no ')}. Give the whole key file, as it was downloaded.`);
  }
  const privateKey = String(json.private_key);
  const account = parseAccount(String(json.client_email));
  if (!account.ok) return wrong('key_incomplete', 'has a client_email that is not the email of a service account.');
  return (
    findUnusable(privateKey) ??
    parsed({
      clientEmail: account.value,
      privateKeyId: String(json.private_key_id),
      privateKey,
      projectId: textOf(json, 'project_id'),
      universeDomain: textOf(json, 'universe_domain'),
      json,
    })
  );
}

function textOf(json: KeyJson, field: string): string | undefined {
  const value = json[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function wrongType(type: unknown): Wrong {
  const hint = typeof type === 'string' ? hintsOfTypes.get(type) : undefined;
  return wrong(
    'key_type_wrong',
    hint ?? 'is JSON, but its "type" is not service_account. Give the key file of a service account.',
  );
}

const hintsOfTypes = new Map([
  [
    'external_account',
    'is a federation configuration (external_account), not a key. Set workload_identity_provider and service_account in its place.',
  ],
  [
    'authorized_user',
    "holds a person's credentials (authorized_user), as a login on a workstation makes them. Give the key file of a service account, or use workload_identity_provider.",
  ],
  [
    'impersonated_service_account',
    'is a configuration for impersonation (impersonated_service_account), not a key. Give the key file of a service account.',
  ],
]);

/** A key that cannot sign would be noticed only by a later step, far from its cause. */
function findUnusable(privateKey: string): Wrong | undefined {
  if (privateKey.includes(String.raw`\n`)) {
    return wrong(
      'key_unusable',
      String.raw`has a private_key whose line breaks were escaped twice (\\n in place of \n). Store the key file unchanged, or as base64.`,
    );
  }
  try {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType === 'rsa') {
      sign('RSA-SHA256', Buffer.from('proof'), key);
      return undefined;
    }
  } catch {
    // Told below; what the library says may quote the key.
  }
  return wrong(
    'key_unusable',
    'has a private_key that cannot sign: it is no complete RSA key in PEM. Store the key file unchanged, or as base64.',
  );
}
