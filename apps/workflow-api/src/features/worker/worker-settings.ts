import { readFile } from 'node:fs/promises';
import { createSecretReaders, type SecretStores } from '@weir/workflow-engine';
import type { Config } from '../../config';

type SecretsConfig = Config['secrets'];
type ConfigOf<Provider extends keyof SecretsConfig> = NonNullable<SecretsConfig[Provider]>;
type StoreOf<Provider extends keyof SecretStores> = NonNullable<SecretStores[Provider]>;

/** Returns the settings of the configuration that the execution of runs uses. */
export function workerSettings({
  home,
  steps,
  secrets,
  buildCache,
  tools,
  packages,
  worker,
}: Pick<Config, 'home' | 'steps' | 'secrets' | 'buildCache' | 'tools' | 'packages' | 'worker'>) {
  return {
    ...steps,
    ...worker,
    home,
    buildCacheLimits: buildCache,
    toolLimits: tools,
    packageLimits: packages,
    secretProviders: createSecretReaders(secretStores(secrets)),
  };
}

/** Returns the configured stores of secrets. */
export function secretStores({ vault, kubernetes, aws, gcp, azure }: SecretsConfig): SecretStores {
  return {
    vault: vault && toVault(vault),
    kubernetes: kubernetes === undefined ? undefined : toKubernetes(kubernetes),
    aws: aws && toAws(aws),
    gcp: gcp && { project: gcp.project, credentialsFile: gcp.credentialsFile, endpoint: gcp.url },
    azure: azure && { vault: azure.vault, identity: toIdentity(azure) },
  };
}

function toVault({ address, namespace, token, tokenFile }: ConfigOf<'vault'>): StoreOf<'vault'> {
  const readToken = async () => (tokenFile === undefined ? (token?.reveal() ?? '') : await readLine(tokenFile));
  return { address, namespace, readToken };
}

function toKubernetes(kubernetes: ConfigOf<'kubernetes'>): StoreOf<'kubernetes'> {
  return kubernetes === 'pod' ? { kind: 'pod' } : { kind: 'kubeconfig', file: kubernetes };
}

function toAws({ region, key, url }: ConfigOf<'aws'>): StoreOf<'aws'> {
  const credentials = key && {
    accessKeyId: key.id,
    secretAccessKey: key.secret.reveal(),
    sessionToken: key.sessionToken?.reveal(),
  };
  return { region, endpoint: url, credentials };
}

function toIdentity({
  tenantId,
  clientId,
  clientSecret,
  tokenFile,
  authority,
}: ConfigOf<'azure'>): StoreOf<'azure'>['identity'] {
  if (tenantId === undefined || clientId === undefined) {
    return { kind: 'managed', clientId };
  }
  const readCredential = async () =>
    tokenFile === undefined
      ? ({ kind: 'secret', text: clientSecret?.reveal() ?? '' } as const)
      : ({ kind: 'federated', text: await readLine(tokenFile) } as const);
  return {
    kind: 'application',
    tenantId,
    clientId,
    authority,
    readCredential,
  };
}

async function readLine(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
