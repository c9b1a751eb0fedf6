import { defaultTokenAudience } from './identifiers';
import type { Identity } from './settings';
import type { ActionsRuntime } from '../runner/actions-runtime';
import { parseAccount } from './account';
import { emptyInputHint } from './empty-input-hint';
import type { InputReader } from './input-reader';
import { parseKey } from './key';
import { invalidInput } from './parsed-input';
import { parseProvider } from './provider';
import { parseAudience } from './texts';
import { readUniverse } from './universe';

export interface IdentityInputs {
  /** `undefined` if an input is invalid, which was reported to the reader. */
  readonly identity: Identity | undefined;
  readonly universe: string;
}

export function readIdentity(reader: InputReader, runtime: ActionsRuntime): IdentityInputs {
  const key = reader.readOptional('credentials_json', (text) => parseKey(text, (secret) => runtime.mask(secret)));
  const universe = readUniverse(reader, key);
  const account = reader.readOptional('service_account', parseAccount);
  const isFederation = reader.text('workload_identity_provider') !== undefined;
  const audienceReader = isFederation ? reader : reader.ignore('it applies only to workload_identity_provider');
  const audience = audienceReader.readOptional('audience', parseAudience);
  const provider = reader.readOptional('workload_identity_provider', (text) => parseProvider(text, universe));
  checkMode(reader, runtime);
  if (key !== undefined)
    return { universe, identity: { mode: 'key', key, serviceAccount: account ?? key.clientEmail } };
  if (provider === undefined) return { universe, identity: undefined };
  const tokenAudience = audience ?? defaultTokenAudience(provider.name);
  return { universe, identity: { mode: 'federation', provider, serviceAccount: account, audience: tokenAudience } };
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
}
