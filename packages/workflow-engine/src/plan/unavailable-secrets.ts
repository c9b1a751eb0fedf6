import type { Secret } from '@weir/workflow-spec';

/** Where the values of secrets can be had from, and whether with options. */
const providers: ReadonlyMap<string, boolean> = new Map([
  ['env', false],
  ['file', false],
  ['vault', true],
  ['kubernetes', true],
]);

/** What of the secrets of a DAG cannot be had, a phrase each; empty when all may be asked for. */
export function unavailableSecrets(secrets: readonly Secret[]): readonly string[] {
  return [...new Set(secrets.flatMap(unavailablePart))];
}

function unavailablePart(secret: Secret): readonly string[] {
  if (secret.kind === 'ref') return ['secrets.ref'];
  const { provider, options } = secret;
  const takesOptions = providers.get(provider);
  if (takesOptions === undefined) return [`secrets: provider ${provider} is not available`];
  return options === undefined || takesOptions ? [] : [`secrets: options of provider ${provider}`];
}
