export { createProfileChoice } from './choose-profile';
export { createInMemoryProfileRepository } from './in-memory-profile-repository';
export { createPrismaProfileRepository } from './prisma-profile-repository';
export type { ProfileRepository } from './profile';
export { bindProfileRoutes } from './profile-routes';
export { createProfileService } from './profile-service';
export { createProfileSecretReader } from './read-profile-secret';
