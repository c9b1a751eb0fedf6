import { defaultTokenAudience } from './identifiers';
import type { Identity } from './settings';
import type { ActionsRuntime } from '../runner/actions-runtime';
import { parseAccount } from './account';
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs for these events get no secrets if the pull request comes from a fork; `pull_request_target` gets them. */
const forkEvents = new Set(['pull_request', 'pull_request_review', 'pull_request_review_comment']);

/** Why an input may be empty although the workflow sets it. */
function emptyInputHint(env: Environment): string {
  const event = env.GITHUB_EVENT_NAME ?? '';
  if (env.GITHUB_ACTOR === 'dependabot[bot]') {
    return 'Dependabot started this run, and its runs get Dependabot secrets only: add the secret there too, or skip this step if github.actor is dependabot[bot].';
  }
  if (forkEvents.has(event)) {
    return `A ${event} event started this run: if the pull request comes from a fork, every secret is empty. Skip this step unless github.event.pull_request.head.repo.full_name is github.repository.`;
  }
  return 'If the value comes from a secret, a variable or an output, check its name: one that does not exist is empty. A reusable workflow gets only the secrets that its caller passes.';
}
