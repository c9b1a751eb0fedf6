import { defaultTokenAudience } from '../cloud/identifiers';
import type { Identity, ServiceAccountKey } from '../settings';
import type { Workflow } from '../workflow';
import { parseAccount } from './account';
import { emptyInputHint } from './hints';
import type { InputReader } from './input-reader';
import { parseKey } from './key';
import { wrong } from './parsed';
import { parseProvider } from './provider';
import { parseAudience } from './texts';

/** `undefined` where something is wrong, which was reported then. */
export function readIdentity(reader: InputReader, workflow: Workflow, universe: string): Identity | undefined {
  const account = reader.read('service_account', parseAccount);
  const audience = reader.read('audience', parseAudience);
  const provider = reader.read('workload_identity_provider', (text) => parseProvider(text, universe));
  const key = reader.read('credentials_json', (text) => parseKey(text, (secret) => workflow.hide(secret)));
  checkMode(reader, workflow);
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

function checkMode(reader: InputReader, { env }: Workflow): void {
  const isFederation = reader.text('workload_identity_provider') !== undefined;
  const isKey = reader.text('credentials_json') !== undefined;
  if (isFederation && isKey) {
    reader.report(
      'workload_identity_provider',
      wrong('mode_ambiguous', 'is set, and so is credentials_json. Set one of them only.'),
    );
  }
  if (!isFederation && !isKey) {
    reader.report(
      'workload_identity_provider',
      wrong(
        'mode_missing',
        `has no value, and neither has credentials_json. Set one of them: the provider for federation (recommended), or a service-account key. ${emptyInputHint(env)}`,
      ),
    );
  }
  if (isKey && !isFederation && reader.text('audience') !== undefined) {
    reader.report(
      'audience',
      wrong('option_unused', 'is set, but goes only with workload_identity_provider. Take it away.'),
    );
  }
}

function checkUniverse(
  reader: InputReader,
  { universeDomain = universeOfOldKeys }: ServiceAccountKey,
  universe: string,
): void {
  const isUnknown = reader.problems.some(({ input }) => input === 'universe');
  if (isUnknown || universeDomain === universe) return;
  // The key's own text is not repeated.
  const message = `is ${universe}, but the key in credentials_json is for another one. Give the key's universe_domain.`;
  reader.report('universe', wrong('universe_mismatch', message));
}

/** Keys without the field are older than the other universes. */
const universeOfOldKeys = 'googleapis.com';
