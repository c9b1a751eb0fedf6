import { createApiKeys, type ApiKeyRepository } from './features/api-keys';
import { createAuth, type Auth, type AuthPorts } from './features/auth';
import { createUsers } from './features/users';

export interface IdentityPorts extends AuthPorts {
  readonly apiKeys: ApiKeyRepository;
}

/** Users, API keys and signing in. */
export function createIdentity(ports: IdentityPorts): Auth {
  const { hasher, clock, random } = ports;
  const users = createUsers({ users: ports.users, hasher, clock, random });
  const apiKeys = createApiKeys({ apiKeys: ports.apiKeys, findUser: (id) => ports.users.findById(id), clock, random });
  const auth = createAuth(ports, (key) => apiKeys.authenticate(key));
  return {
    ...auth,
    bindRoutes: (bind) => {
      auth.bindRoutes(bind);
      users.bindRoutes(bind);
      apiKeys.bindRoutes(bind);
    },
  };
}
