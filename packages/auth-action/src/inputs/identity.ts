import { defaultTokenAudience } from '../cloud/identifiers';
import type { Identity, ServiceAccountKey } from '../settings';
import type { ActionsRuntime } from '../actions-runtime';
import { parseAccount } from './account';
import { emptyInputHint } from './empty-input-hint';
import type { InputReader } from './input-reader';
import { parseKey } from './key';
import { invalidInput } from './parsed-input';
import { parseProvider } from './provider';
import { parseAudience } from './texts';

/** `undefined` if an input is invalid, which was reported to the reader. */
export function readIdentity(reader: InputReader, runtime: ActionsRuntime, universe: string): Identity | undefined {
  const account = reader.readOptional('service_account', parseAccount);
  const audience = reader.readOptional('audience', parseAudience);
  const provider = reader.readOptional('workload_identity_provider', (text) => parseProvider(text, universe));
  const key = reader.readOptional('credentials_json', (text) => parseKey(text, (secret) => runtime.mask(secret)));
  checkMode(reader, runtime);
  if (key !== undefined) {
    checkUniverse(reader, key, universe);
    return { mode: 'key', key, serviceAccount: account ?? key.clientEmail };
  }
  if (provider === undefined) return undefined;
  return {
    mode: 'federation',
    provider,
    serviceAccount: account,
    audience: audience ?? defaultTokenAudience(provider.name),
  };
}

function checkMode(reader: InputReader, { env }: ActionsRuntime): void {
  const isFederation = reader.text('workload_identity_provider') !== undefined;
  const isKey = reader.text('credentials_json') !== undefined;
  if (isFederation && isKey) {
    reader.report(
      'workload_identity_provider',
      invalidInput('mode_ambiguous', 'is set, and so is credentials_json. Set only one of them.'),
    );
  }
  if (!isFederation && !isKey) {
    reader.report(
      'workload_identity_provider',
      invalidInput(
        'mode_missing',
        `has no value, and neither has credentials_json. Set one of them: the provider for Workload Identity Federation (recommended), or a service account key. ${emptyInputHint(env)}`,
      ),
    );
  }
  if (isKey && !isFederation && reader.text('audience') !== undefined) {
    reader.report(
      'audience',
      invalidInput('option_unused', 'is set, but applies only to workload_identity_provider. Remove it.'),
    );
  }
}

function checkUniverse(
  reader: InputReader,
  { universeDomain = legacyKeyUniverse }: ServiceAccountKey,
  universe: string,
): void {
  const isUnknown = reader.problems.some(({ input }) => input === 'universe');
  if (isUnknown || universeDomain === universe) return;
  // The message does not repeat any text of the key.
  const message = `is ${universe}, but the key in credentials_json is for another universe. Use the universe_domain of the key.`;
  reader.report('universe', invalidInput('universe_mismatch', message));
}

/** Keys without `universe_domain` are older than other universes. */
const legacyKeyUniverse = 'googleapis.com';
