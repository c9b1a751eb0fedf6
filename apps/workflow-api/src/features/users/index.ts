export { createUsers, type Users } from './create-users';
export { createInMemoryUserStore } from './in-memory-user-repository';
export { assertStrongPassword } from './password-policy';
export { presentUser, presentUserResponse } from './user-presenter';
export { createPrismaUserStore, type UserStore } from './user-repository';
export { workspaceAccessInvalid } from './user-errors';
export { withPassword } from './user-service';
