import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { AppError } from '@weir/foundation';
import type { ServiceAccountKey } from './settings';
import { parseAccount } from './account';
import { decodeKey } from './decode-key';
import { inputError } from './input-reader';
import { validInput, invalidInput, type ParsedInput, type InvalidInput } from './parsed-input';
import { parseUniverse } from './universe';

type KeyJson = Readonly<Record<string, unknown>>;

const required = ['client_email', 'private_key'] as const;

/** Parses a service account key. Masks it before any check that can fail. */
export function parseKey(text: string, mask: (secret: string) => void): ParsedInput<ServiceAccountKey> {
  maskLines(text, mask);
  const decoded = decodeKey(text);
  if (!decoded.ok) return decoded;
  maskKey(decoded.value, mask);
  return checkKey(decoded.value);
}

function checkKey(json: KeyJson): ParsedInput<ServiceAccountKey> {
  if (json.type !== 'service_account') return wrongType(json.type);
  const missing = required.filter((field) => readField(json, field) === undefined);
  if (missing.length > 0) {
    return invalidInput('key_incomplete', `has no ${missing.join(', no ')}. Use the whole key file, as downloaded.`);
  }
  const account = parseAccount(String(json.client_email));
  if (!account.ok || account.warning !== undefined)
    return invalidInput('key_incomplete', 'has a client_email that is not the email of a service account.');
  const universe = readField(json, 'universe_domain');
  if (universe !== undefined && !parseUniverse(universe).ok)
    return invalidInput('key_incomplete', 'has a universe_domain that is not a domain.');
  const privateKey = parsePrivateKey(String(json.private_key));
  if (!privateKey.ok) return privateKey;
  return validInput({
    clientEmail: account.value,
    privateKeyId: readField(json, 'private_key_id'),
    privateKey: privateKey.value,
    projectId: readField(json, 'project_id'),
    universeDomain: universe,
    json,
  });
}

function readField(json: KeyJson, field: string): string | undefined {
  const value = json[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function wrongType(type: unknown): InvalidInput {
  const hint = typeof type === 'string' ? keyTypeHints.get(type) : undefined;
  return invalidInput(
    'key_type_wrong',
    hint ?? 'is JSON, but its "type" is not service_account. Use the key file of a service account.',
  );
}

const keyTypeHints = new Map([
  [
    'external_account',
    'is a Workload Identity Federation configuration (external_account), not a key. Set workload_identity_provider and service_account instead.',
  ],
  [
    'authorized_user',
    'contains user credentials (authorized_user), which gcloud auth creates on a workstation. Use the key file of a service account, or workload_identity_provider.',
  ],
  [
    'impersonated_service_account',
    'is a configuration for impersonation (impersonated_service_account), not a key. Use the key file of a service account.',
  ],
]);

function parsePrivateKey(pem: string): ParsedInput<KeyObject> {
  if (pem.includes(String.raw`\n`)) {
    return invalidInput(
      'key_unusable',
      String.raw`has a private_key whose line breaks are escaped twice (\\n instead of \n). Store the key file unchanged, or as base64.`,
    );
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return validInput(key);
  } catch {
    // The error is reported below: the message of the library may quote the key.
  }
  return keyWithoutSignature;
}

const keyWithoutSignature = invalidInput(
  'key_unusable',
  'has a private_key that cannot sign: it is not a complete RSA key in PEM format. Store the key file unchanged, or as base64.',
);

/** The failure of a key that could be parsed but cannot sign. */
export function keyUnusableError(): AppError {
  const { reason, message } = keyWithoutSignature;
  return inputError([{ input: 'credentials_json', reason, message }]);
}

type Mask = (secret: string) => void;

// A shorter line is not secret by itself, and masking it would garble unrelated output.
const minMaskedLength = 12;

const secretFields = ['private_key', 'client_secret', 'refresh_token'];

/** Masks a text before it is parsed, so that no later failure can print a part of it. */
export function maskLines(text: string, mask: Mask): void {
  for (const line of text.split(/[\r\n]+/)) {
    const trimmed = line.trim();
    if (trimmed.length >= minMaskedLength) mask(trimmed);
  }
}

/**
 * The runner masks the secret only in the form in which it was stored. This masks the other forms: the JSON on one line,
 * and the private key as a whole, line by line, and escaped for JSON.
 */
function maskKey(json: Readonly<Record<string, unknown>>, mask: Mask): void {
  mask(JSON.stringify(json));
  for (const field of secretFields) {
    const secret = json[field];
    if (typeof secret !== 'string' || secret.length < minMaskedLength) continue;
    mask(secret);
    mask(JSON.stringify(secret).slice(1, -1));
    maskLines(secret, mask);
  }
}
