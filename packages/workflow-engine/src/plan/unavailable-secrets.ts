import type { Secret } from '@weir/workflow-spec';

/** Where the values of secrets can be had from in this version. */
const providers: ReadonlySet<string> = new Set(['env', 'file']);

/** What of the secrets of a DAG cannot be had, a phrase each; empty when all may be asked for. */
export function unavailableSecrets(secrets: readonly Secret[]): readonly string[] {
  return [...new Set(secrets.flatMap(unavailablePart))];
}

function unavailablePart(secret: Secret): readonly string[] {
  if (secret.kind === 'ref') return ['secrets.ref'];
  const { provider, options } = secret;
  if (!providers.has(provider)) return [`secrets: provider ${provider} is not available`];
  return options === undefined ? [] : [`secrets: options of provider ${provider}`];
}
