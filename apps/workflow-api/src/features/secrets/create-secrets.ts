import type { Logger } from '@weir/service-kit';
import type { ReadStoredSecret } from '@weir/workflow-engine';
import type { Bind } from '../../access/bind';
import { resealRows, type SealedRows } from '../../encryption';
import { createStoredSecretReader } from './read-stored-secret';
import { resealSecrets } from './reseal-secrets';
import { bindSecretRoutes } from './secret-routes';
import { createSecretUses, type SecretUsesPorts } from './secret-uses';
import { createSecretService, type SecretServicePorts } from './secret-service';

/** The secrets that this server stores. */
export interface Secrets {
  readonly readStoredSecret: ReadStoredSecret;
  /** Encrypts everything that is under older keys with the current one. */
  reseal(): Promise<void>;
  bindRoutes(bind: Bind, catalog: SecretUsesPorts['catalog']): void;
}

export interface SecretsPorts extends SecretServicePorts {
  /** The secrets of webhooks are encrypted with the same keys. */
  readonly webhooks: SealedRows;
  readonly notifications: SealedRows;
  readonly remoteNodes: SealedRows;
  readonly gitSync: SealedRows;
  readonly secondFactors: SealedRows;
  readonly profiles: SealedRows;
  readonly agentStores: { readonly models: SealedRows; readonly logins: SealedRows };
  readonly logger: Logger;
}

export function createSecrets(ports: SecretsPorts): Secrets {
  const service = createSecretService(ports);
  return {
    readStoredSecret: createStoredSecretReader(ports),
    reseal: async () => {
      await resealSecrets(ports);
      const { webhooks, notifications, remoteNodes, gitSync, secondFactors, profiles, agentStores } = ports;
      const { models, logins } = agentStores;
      await resealRows([webhooks, notifications, remoteNodes, gitSync, secondFactors, profiles, models, logins], ports);
    },
    bindRoutes: (bind, catalog) => bindSecretRoutes(bind, service, createSecretUses({ ...ports, catalog })),
  };
}
