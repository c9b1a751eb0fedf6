export { connectToServer, controlSocket, isClaimed, type ServerConnection } from './connect-to-server';
export { createLocalClient, type WorkflowClient } from './local-client';
export { connectWithin, listenLocally } from './local-server';
