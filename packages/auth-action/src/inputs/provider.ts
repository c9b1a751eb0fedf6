import type { ProviderName } from './settings';
import { validInput, invalidInput, type ParsedInput, type InvalidInput } from './parsed-input';
import { quoteInput } from './quote-input';
import { findCommonMistake } from './common-mistakes';

const grammar = 'projects/<project number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>';
const form =
  /^projects\/(?<number>[1-9]\d{0,19})\/locations\/global\/workloadIdentityPools\/(?<pool>[a-z0-9-]{4,32})\/providers\/(?<provider>[a-z0-9-]{4,32})$/;

/** The full resource name of a provider. Removes the prefixes that other tools add. */
export function parseProvider(text: string, universe: string): ParsedInput<ProviderName> {
  const slip = findCommonMistake(text);
  if (slip !== undefined) return slip;
  const name = withoutPrefix(text, universe);
  const [, projectNumber, pool, provider] = form.exec(name) ?? [];
  if (projectNumber === undefined || pool === undefined || provider === undefined) return describeMistake(name);
  return validInput({ name, projectNumber, pool, provider });
}

function withoutPrefix(text: string, universe: string): string {
  for (const host of [`iam.${universe}`, 'iam.googleapis.com']) {
    for (const prefix of [`https://${host}/v1/`, `https://${host}/`, `//${host}/`]) {
      if (text.startsWith(prefix)) return text.slice(prefix.length);
    }
  }
  return text;
}

function describeMistake(name: string): InvalidInput {
  const found = mistakes.filter(([pattern]) => pattern.test(name)).map(([, sentence]) => sentence);
  const sentences = found.length === 0 ? 'is not the name of a provider.' : found.join(' It ');
  return invalidInput(
    'provider_invalid',
    `${sentences} The value is ${quoteInput(name)}; the expected form is ${grammar}.`,
  );
}

const mistakes: readonly (readonly [RegExp, string])[] = [
  [/\/$/, 'ends with a slash. Remove it.'],
  [/^\//, 'starts with a slash. Remove it.'],
  [/^principal(?:Set)?:/, 'is a principal of the pool, which IAM policies use. Use the name of the provider.'],
  [/workforcePools/, 'names a workforce pool, which is for users. Use a workload identity pool provider.'],
  [
    /^projects\/[^/]+\/locations\/global\/workloadIdentityPools\/[^/]+$/,
    'names a pool, not a provider. Add /providers/<provider>.',
  ],
  [
    /^projects\/(?!\d+\/)[^/]+\//,
    'contains a project id instead of the project number. To get the number, run: gcloud projects describe <project> --format="value(projectNumber)".',
  ],
  [/\/locations\/(?!global\/)/, 'names a location other than global.'],
  [
    /^[a-z0-9-]+$/,
    'is a short name. To get the full name, run: gcloud iam workload-identity-pools providers describe.',
  ],
];
