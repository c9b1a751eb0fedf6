import { readFile } from 'node:fs/promises';
import {
  createAwsSecretReader,
  createAzureSecretReader,
  createGcpSecretReader,
  createKubernetesSecretReader,
  createVaultSecretReader,
  type AzureSecretsAccess,
  type SecretProviders,
  type SecretReader,
} from '@weir/workflow-engine';
import type { Config } from '../../config';

type SecretsConfig = Config['secrets'];
type ConfigOf<Provider extends keyof SecretsConfig> = NonNullable<SecretsConfig[Provider]>;

/** What the execution of runs takes from the configuration. */
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
    secretProviders: createSecretProviders(secrets),
  };
}

/** Makes the reader of each store from its settings. */
const drivers: { readonly [Provider in keyof SecretsConfig]: (config: ConfigOf<Provider>) => SecretReader } = {
  vault: ({ address, namespace, token, tokenFile }) => {
    const readToken = async () => (tokenFile === undefined ? (token?.reveal() ?? '') : await readLine(tokenFile));
    return createVaultSecretReader({ address, namespace, readToken });
  },
  kubernetes: (kubernetes) =>
    createKubernetesSecretReader(kubernetes === 'pod' ? { kind: 'pod' } : { kind: 'kubeconfig', file: kubernetes }),
  aws: ({ region, key, url }) => {
    const credentials = key && {
      accessKeyId: key.id,
      secretAccessKey: key.secret.reveal(),
      sessionToken: key.sessionToken?.reveal(),
    };
    return createAwsSecretReader({ region, endpoint: url, credentials });
  },
  gcp: ({ project, credentialsFile, url }) => createGcpSecretReader({ project, credentialsFile, endpoint: url }),
  azure: (azure) => createAzureSecretReader({ vault: azure.vault, identity: toIdentity(azure) }),
};

/** The stores of secrets that this server is set up for. */
function createSecretProviders(secrets: SecretsConfig): SecretProviders {
  // The keys of the table are those of the configuration, which Object.keys cannot express.
  const providers = Object.keys(drivers) as (keyof SecretsConfig)[];
  return new Map(providers.flatMap((provider) => createReader(provider, secrets[provider])));
}

function createReader<Provider extends keyof SecretsConfig>(
  provider: Provider,
  config: SecretsConfig[Provider],
): readonly (readonly [Provider, SecretReader])[] {
  return config === undefined ? [] : [[provider, drivers[provider](config)]];
}

function toIdentity({ tenantId, clientId, clientSecret, tokenFile, authority }: ConfigOf<'azure'>) {
  if (tenantId === undefined || clientId === undefined) {
    return { kind: 'managed', clientId } satisfies AzureSecretsAccess['identity'];
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
  } satisfies AzureSecretsAccess['identity'];
}

async function readLine(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
