export { createRemoteNodes, type RemoteNodes } from './create-remote-nodes';
export { createInMemoryRemoteNodeRepository } from './in-memory-remote-node-repository';
export { refuseOtherNodes, type PassOn } from './pass-on';
export { createPrismaRemoteNodeRepository } from './prisma-remote-node-repository';
export type { RemoteNodeRepository } from './remote-node';
