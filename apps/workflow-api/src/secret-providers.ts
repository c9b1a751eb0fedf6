import { readFile } from 'node:fs/promises';
import {
  createKubernetesSecretReader,
  createVaultSecretReader,
  type SecretProviders,
  type SecretReader,
} from '@weir/workflow-engine';
import type { Config } from './config';

/** What the execution of runs takes from the configuration. */
export function workerSettings({
  home,
  steps,
  secrets,
  buildCache,
  tools,
}: Pick<Config, 'home' | 'steps' | 'secrets' | 'buildCache' | 'tools'>) {
  return {
    ...steps,
    home,
    buildCacheLimits: buildCache,
    toolLimits: tools,
    secretProviders: createSecretProviders(secrets),
  };
}

/** The stores of secrets that this server is set up for. */
function createSecretProviders({ vault, kubernetes }: Config['secrets']): SecretProviders {
  const providers = new Map<string, SecretReader>();
  if (vault !== undefined) {
    const { address, namespace, token, tokenFile } = vault;
    const readToken = async () =>
      tokenFile === undefined ? (token?.reveal() ?? '') : (await readFile(tokenFile, 'utf8')).trim();
    providers.set('vault', createVaultSecretReader({ address, namespace, readToken }));
  }
  if (kubernetes !== undefined) {
    const from =
      kubernetes === 'pod' ? ({ kind: 'pod' } as const) : ({ kind: 'kubeconfig', file: kubernetes } as const);
    providers.set('kubernetes', createKubernetesSecretReader(from));
  }
  return providers;
}
