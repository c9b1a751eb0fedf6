import type { Logger } from '@weir/service-kit';
import type { ReadStoredSecret } from '@weir/workflow-engine';
import type { Bind } from '../../bind';
import { createStoredSecretReader } from './read-stored-secret';
import { resealSecrets } from './reseal-secrets';
import { bindSecretRoutes } from './secret-routes';
import { createSecretService, type SecretServicePorts } from './secret-service';

/** The secrets that this server stores. */
export interface Secrets {
  readonly readStoredSecret: ReadStoredSecret;
  /** Encrypts what is under older keys with the current one. */
  reseal(): Promise<void>;
  bindRoutes(bind: Bind): void;
}

export function createSecrets(ports: SecretServicePorts & { readonly logger: Logger }): Secrets {
  const service = createSecretService(ports);
  return {
    readStoredSecret: createStoredSecretReader(ports),
    reseal: () => resealSecrets(ports),
    bindRoutes: (bind) => bindSecretRoutes(bind, service),
  };
}
