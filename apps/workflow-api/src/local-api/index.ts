export { connectToServer, controlSocket, isClaimed, type ServerConnection } from './connect-to-server';
export { createLocalClient } from './local-client';
export { connectWithin, listenLocally } from './local-server';
