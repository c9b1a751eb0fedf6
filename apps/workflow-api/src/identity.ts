import { createApiKeys, type ApiKeyRepository } from './features/api-keys';
import { createAuth, type Auth, type AuthPorts } from './features/auth';
import { createChatClients, type ChatClientsPorts } from './features/chat-clients';
import { createUsers } from './features/users';

export interface IdentityPorts extends AuthPorts, Pick<ChatClientsPorts, 'chatClients' | 'fetchDocument'> {
  readonly apiKeys: ApiKeyRepository;
  readonly clientAddress: Omit<ChatClientsPorts['address'], 'basePath'>;
}

/** Users, API keys, chat clients and signing in. */
export function createIdentity(ports: IdentityPorts): Auth {
  const { hasher, clock, random } = ports;
  const users = createUsers({ users: ports.users, hasher, clock, random });
  const apiKeys = createApiKeys({ apiKeys: ports.apiKeys, findUser: (id) => ports.users.findById(id), clock, random });
  const chatClients = createChatClients({
    chatClients: ports.chatClients,
    fetchDocument: ports.fetchDocument,
    address: { ...ports.clientAddress, basePath: ports.basePath },
    findUser: (id) => ports.users.findById(id),
    clock,
    random,
  });
  const auth = createAuth(
    ports,
    async (key) => (await apiKeys.authenticate(key)) ?? (await chatClients.authenticate(key)),
  );
  return {
    ...auth,
    chatClients,
    bindRoutes: (bind) => {
      auth.bindRoutes(bind);
      users.bindRoutes(bind);
      apiKeys.bindRoutes(bind);
      chatClients.bindRoutes(bind);
    },
  };
}
