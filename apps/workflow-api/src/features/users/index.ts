export { createInMemoryUserStore } from './in-memory-user-repository';
export { assertStrongPassword } from './password-policy';
export type { User } from './user';
export { presentUser, presentUserResponse } from './user-presenter';
export { createPrismaUserStore, type UserRepository, type UserStore } from './user-repository';
export { workspaceAccessInvalid } from './user-errors';
export { bindUserRoutes } from './user-routes';
export { createUserService, withPassword, type UserService } from './user-service';
