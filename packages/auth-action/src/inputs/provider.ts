import type { ProviderName } from '../settings';
import { parsed, wrong, type Parsed, type Wrong } from './parsed';
import { show } from './show';
import { findSlip } from './slips';

const grammar = 'projects/<project number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>';
const form =
  /^projects\/(?<number>[1-9]\d{0,19})\/locations\/global\/workloadIdentityPools\/(?<pool>[a-z0-9-]{4,32})\/providers\/(?<provider>[a-z0-9-]{4,32})$/;

/** The provider's full name. The prefixes that other tools write before it are taken off. */
export function parseProvider(text: string, universe: string): Parsed<ProviderName> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  const name = withoutPrefix(text, universe);
  const [, projectNumber, pool, provider] = form.exec(name) ?? [];
  if (projectNumber === undefined || pool === undefined || provider === undefined) return mistakeIn(name);
  return parsed({ name, projectNumber, pool, provider });
}

function withoutPrefix(text: string, universe: string): string {
  for (const host of [`iam.${universe}`, 'iam.googleapis.com']) {
    for (const prefix of [`https://${host}/v1/`, `https://${host}/`, `//${host}/`]) {
      if (text.startsWith(prefix)) return text.slice(prefix.length);
    }
  }
  return text;
}

/** Each mistake has its own mend. */
function mistakeIn(name: string): Wrong {
  const found = mistakes.filter(([pattern]) => pattern.test(name)).map(([, sentence]) => sentence);
  const sentences = found.length === 0 ? 'is not a provider.' : found.join(' It ');
  return wrong('provider_invalid', `${sentences} It is ${show(name)}; it should be ${grammar}.`);
}

const mistakes: readonly (readonly [RegExp, string])[] = [
  [/\/$/, 'ends with a slash. Take it away.'],
  [/^\//, 'starts with a slash. Take it away.'],
  [/^principal(?:Set)?:/, 'is a principal of the pool, as roles are given to. Name the provider.'],
  [/workforcePools/, 'names a workforce pool, which is for people. Name a workload identity provider.'],
  [
    /^projects\/[^/]+\/locations\/global\/workloadIdentityPools\/[^/]+$/,
    'names a pool, not a provider of it. Add /providers/<provider>.',
  ],
  [
    /^projects\/(?!\d+\/)[^/]+\//,
    'has a project id where the project number belongs. The number is shown by: gcloud projects describe <project> --format="value(projectNumber)".',
  ],
  [/\/locations\/(?!global\/)/, 'names a location other than global.'],
  [
    /^[a-z0-9-]+$/,
    'is a short name. Give the full one, which is shown by: gcloud iam workload-identity-pools providers describe.',
  ],
];
