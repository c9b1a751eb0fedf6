import type { Bind } from '../../access/bind';
import type { Principal } from '../../access/principal';
import { bindApiKeyRoutes } from './api-key-routes';
import { createApiKeyService, type ApiKeyServiceOptions } from './api-key-service';

export interface ApiKeys {
  /** Returns `undefined` for a key that is unknown or expired. */
  authenticate(key: string): Promise<Principal | undefined>;
  bindRoutes(bind: Bind): void;
}

export function createApiKeys(ports: ApiKeyServiceOptions): ApiKeys {
  const service = createApiKeyService(ports);
  return {
    authenticate: (key) => service.authenticate(key),
    bindRoutes: (bind) => bindApiKeyRoutes(bind, service),
  };
}
