export { createGitSync, type GitSync } from './create-git-sync';
export type { GitSyncStore } from './git-sync-store';
export { createInMemoryGitSyncStore } from './in-memory-git-sync-store';
export { createPrismaGitSyncStore } from './prisma-git-sync-store';
