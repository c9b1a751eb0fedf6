import { createAwsSecretReader, type AwsSecretsAccess } from './aws-secret';
import { createAzureSecretReader, type AzureSecretsAccess } from './azure-secret';
import { createGcpSecretReader, type GcpSecretsAccess } from './gcp-secret';
import { createKubernetesSecretReader, type KubernetesSecretsAccess } from './kubernetes-secret';
import type { SecretProviders, SecretReader } from './secret-source';
import { createVaultSecretReader, type VaultAccess } from './vault-secret';

/** How each store of secrets is reached. DAGs cannot read from one that is missing. */
export interface SecretStores {
  readonly vault?: VaultAccess | undefined;
  readonly kubernetes?: KubernetesSecretsAccess | undefined;
  readonly aws?: AwsSecretsAccess | undefined;
  readonly gcp?: GcpSecretsAccess | undefined;
  readonly azure?: AzureSecretsAccess | undefined;
}

/** The readers of the stores, by the names of their providers in DAGs. Nothing is read before a run needs a secret. */
export function createSecretReaders({ vault, kubernetes, aws, gcp, azure }: SecretStores): SecretProviders {
  const readers = new Map<string, SecretReader>();
  if (vault) readers.set('vault', createVaultSecretReader(vault));
  if (kubernetes) readers.set('kubernetes', createKubernetesSecretReader(kubernetes));
  if (aws) readers.set('aws', createAwsSecretReader(aws));
  if (gcp) readers.set('gcp', createGcpSecretReader(gcp));
  if (azure) readers.set('azure', createAzureSecretReader(azure));
  return readers;
}
