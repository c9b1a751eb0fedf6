export { createPrismaChatClientRepository, type ChatClientRepository } from './chat-client-repository';
export { fetchClientDocument } from './client-document';
export { createChatClients, type ChatClients, type ChatClientsPorts } from './create-chat-clients';
export { createInMemoryChatClientRepository } from './in-memory-chat-client-repository';
