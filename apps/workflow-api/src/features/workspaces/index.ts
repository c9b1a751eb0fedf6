export { createInMemoryWorkspaceRepository } from './in-memory-workspace-repository';
export { createPrismaWorkspaceRepository } from './prisma-workspace-repository';
export type { WorkspaceRepository } from './workspace';
export { bindWorkspaceRoutes, type WorkspaceRoutesDependencies } from './workspace-routes';
