import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import type { Folders } from './config-values';

const url = z.url({ protocol: /^https?$/, error: 'must be a URL of http or https' });

/** Settings for the sources of secrets of DAGs besides the server's environment and files. */
export const secretVariables = {
  WEIR_SECRETS_KEY: {
    schema: z.string().min(43).optional(),
    defaultText: 'that of the file',
    description:
      'Key of 32 bytes in base64 that encrypts the stored secrets. After a comma follow older keys, with which the server can still decrypt; at its start it encrypts everything with the first one.',
  },
  WEIR_SECRETS_KEY_FILE: {
    schema: z.string().min(1).optional(),
    defaultText: '`$WEIR_HOME/auth/encryption_key`, created when needed',
    description: 'File with the same keys, one a line. Servers that share a database need the same keys.',
  },
  WEIR_VAULT_ADDRESS: {
    schema: url.optional(),
    defaultText: 'none',
    description: 'URL of the Vault from which secrets with the provider `vault` are read.',
  },
  WEIR_VAULT_TOKEN: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Token for Vault.',
  },
  WEIR_VAULT_TOKEN_FILE: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'File with the token for Vault, which is read for every secret, so that an agent can renew it.',
  },
  WEIR_VAULT_NAMESPACE: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Namespace of Vault.',
  },
  WEIR_KUBERNETES_SECRETS: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description:
      'Where secrets with the provider `kubernetes` are read: `pod` for the cluster of the pod that the server runs in, or the path of a kubeconfig.',
  },
  WEIR_AWS_REGION: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Region of the AWS Secrets Manager from which secrets with the provider `aws` are read.',
  },
  WEIR_AWS_ACCESS_KEY_ID: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Access key for AWS. Without it, the variables, files and roles are used that the tools of AWS find.',
  },
  WEIR_AWS_SECRET_ACCESS_KEY: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Secret of the access key for AWS.',
  },
  WEIR_AWS_SESSION_TOKEN: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Session token of the access key for AWS.',
  },
  WEIR_AWS_SECRETS_URL: {
    schema: url.optional(),
    defaultText: 'that of the region',
    description: 'URL of AWS Secrets Manager, such as that of a private endpoint.',
  },
  WEIR_GCP_PROJECT: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Project of the Google Secret Manager from which secrets with the provider `gcp` are read.',
  },
  WEIR_GCP_CREDENTIALS_FILE: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description:
      'Key of a service account, or credentials of a workload identity federation. Without it, the credentials are used that the tools of Google find.',
  },
  WEIR_GCP_SECRETS_URL: {
    schema: url.optional(),
    defaultText: '`https://secretmanager.googleapis.com`',
    description: 'URL of Google Secret Manager, such as that of a region.',
  },
  WEIR_AZURE_VAULT: {
    schema: url.optional(),
    defaultText: 'none',
    description:
      'URL of the Azure Key Vault from which secrets with the provider `azure` are read: `https://shop.vault.azure.net`.',
  },
  WEIR_AZURE_TENANT_ID: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Tenant of the application that reads the vault. Without it, the identity of the machine reads it.',
  },
  WEIR_AZURE_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Client id of that application, or of an identity of the machine.',
  },
  WEIR_AZURE_CLIENT_SECRET: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'Client secret of that application.',
  },
  WEIR_AZURE_TOKEN_FILE: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description: 'File with a token that the application trusts, instead of a client secret; read for every token.',
  },
  WEIR_AZURE_AUTHORITY: {
    schema: url.optional(),
    defaultText: '`https://login.microsoftonline.com`',
    description: 'URL of Microsoft Entra ID.',
  },
} as const satisfies Variables;

type SecretValues = VariableValues<typeof secretVariables>;

interface VaultConfig {
  readonly address: string;
  readonly token: Secret | undefined;
  /** An absolute path. */
  readonly tokenFile: string | undefined;
  readonly namespace: string | undefined;
}

interface AwsConfig {
  readonly region: string;
  /** When `undefined`, the credentials of the server's environment are used. */
  readonly key: { readonly id: string; readonly secret: Secret; readonly sessionToken: Secret | undefined } | undefined;
  readonly url: string | undefined;
}

interface GcpConfig {
  readonly project: string;
  /** An absolute path. */
  readonly credentialsFile: string | undefined;
  readonly url: string | undefined;
}

interface AzureConfig {
  readonly vault: string;
  readonly tenantId: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: Secret | undefined;
  /** An absolute path. */
  readonly tokenFile: string | undefined;
  readonly authority: string | undefined;
}

export interface SecretConfig {
  /** The keys of the server's own store. */
  readonly encryption: { readonly keys: Secret | undefined; readonly keyFile: string | undefined };
  readonly secrets: {
    readonly vault: VaultConfig | undefined;
    /** `pod`, or the absolute path of a kubeconfig. */
    readonly kubernetes: string | undefined;
    readonly aws: AwsConfig | undefined;
    readonly gcp: GcpConfig | undefined;
    readonly azure: AzureConfig | undefined;
  };
}

export function readSecretConfig(values: SecretValues, { absolute }: Folders): SecretConfig {
  const kubernetes = values.WEIR_KUBERNETES_SECRETS;
  const file = (path: string | undefined) => (path === undefined ? undefined : absolute(path));
  return {
    encryption: { keys: hidden(values.WEIR_SECRETS_KEY), keyFile: file(values.WEIR_SECRETS_KEY_FILE) },
    secrets: {
      vault: readVault(values, file),
      kubernetes: kubernetes === 'pod' ? kubernetes : file(kubernetes),
      aws: readAws(values),
      gcp: readGcp(values, file),
      azure: readAzure(values, file),
    },
  };
}

type ToFile = (path: string | undefined) => string | undefined;

function readVault(values: SecretValues, file: ToFile): VaultConfig | undefined {
  const { WEIR_VAULT_ADDRESS: address, WEIR_VAULT_TOKEN: token, WEIR_VAULT_NAMESPACE: namespace } = values;
  if (address === undefined) return undefined;
  return { address, token: hidden(token), tokenFile: file(values.WEIR_VAULT_TOKEN_FILE), namespace };
}

function readAws(values: SecretValues): AwsConfig | undefined {
  const { WEIR_AWS_REGION: region, WEIR_AWS_ACCESS_KEY_ID: id, WEIR_AWS_SECRETS_URL: url } = values;
  if (region === undefined) return undefined;
  const secret = hidden(values.WEIR_AWS_SECRET_ACCESS_KEY);
  const sessionToken = hidden(values.WEIR_AWS_SESSION_TOKEN);
  return { region, key: id === undefined || secret === undefined ? undefined : { id, secret, sessionToken }, url };
}

function readGcp(values: SecretValues, file: ToFile): GcpConfig | undefined {
  const { WEIR_GCP_PROJECT: project, WEIR_GCP_SECRETS_URL: url } = values;
  if (project === undefined) return undefined;
  return { project, credentialsFile: file(values.WEIR_GCP_CREDENTIALS_FILE), url };
}

function readAzure(values: SecretValues, file: ToFile): AzureConfig | undefined {
  if (values.WEIR_AZURE_VAULT === undefined) return undefined;
  return {
    vault: values.WEIR_AZURE_VAULT,
    tenantId: values.WEIR_AZURE_TENANT_ID,
    clientId: values.WEIR_AZURE_CLIENT_ID,
    clientSecret: hidden(values.WEIR_AZURE_CLIENT_SECRET),
    tokenFile: file(values.WEIR_AZURE_TOKEN_FILE),
    authority: values.WEIR_AZURE_AUTHORITY,
  };
}

function hidden(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}
