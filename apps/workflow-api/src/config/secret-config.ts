import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import type { Folders } from './config-values';

/** Where the server reads secrets of DAGs besides its environment and its files. */
export const secretVariables = {
  WEIR_VAULT_ADDRESS: {
    schema: z.url({ protocol: /^https?$/, error: 'must be a URL of http or https' }).optional(),
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
} as const satisfies Variables;

export interface SecretConfig {
  readonly secrets: {
    readonly vault:
      | {
          readonly address: string;
          readonly token: Secret | undefined;
          /** Absolute. */
          readonly tokenFile: string | undefined;
          readonly namespace: string | undefined;
        }
      | undefined;
    /** `pod`, or the absolute path of a kubeconfig. */
    readonly kubernetes: string | undefined;
  };
}

export function readSecretConfig(values: VariableValues<typeof secretVariables>, { absolute }: Folders): SecretConfig {
  const {
    WEIR_VAULT_ADDRESS: address,
    WEIR_VAULT_TOKEN: token,
    WEIR_VAULT_TOKEN_FILE: tokenFile,
    WEIR_VAULT_NAMESPACE: namespace,
    WEIR_KUBERNETES_SECRETS: kubernetes,
  } = values;
  return {
    secrets: {
      vault:
        address === undefined
          ? undefined
          : {
              address,
              token: token === undefined ? undefined : new Secret(token),
              tokenFile: tokenFile === undefined ? undefined : absolute(tokenFile),
              namespace,
            },
      kubernetes: kubernetes === undefined || kubernetes === 'pod' ? kubernetes : absolute(kubernetes),
    },
  };
}
