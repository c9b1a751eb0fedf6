import { everyWorkspace, workspaceAccessProblem } from '@weir/workflow-contract';
import type { CreateUserRequest, UpdateUserRequest } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { PasswordHasher } from '../../adapters/password-hasher';
import type { RandomSource } from '../../adapters/random-source';
import type { AuditedOperation, Requester } from '../../access/audited-operation';
import { assertStrongPassword } from './password-policy';
import { isEnabledAdmin, type User } from '../../access/user';
import { presentUser } from './user-presenter';
import { hasNoPassword, lastAdmin, ownAccount, userNotFound, workspaceAccessInvalid } from './user-errors';
import type { UserRepository, UserStore } from './user-repository';

export interface UserServiceOptions {
  readonly users: UserStore;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

export type UserService = ReturnType<typeof createUserService>;

/** Serves the operations of admins on users. The last enabled admin always stays one. */
export function createUserService({ users, hasher, clock, random }: UserServiceOptions) {
  return {
    list: () => users.list(),

    get: (id: string) => existing(users, id),

    async create(request: CreateUserRequest, audit: AuditedOperation): Promise<User> {
      const { username, password, role, workspaceAccess = everyWorkspace } = request;
      await assertStrongPassword(password, username);
      assertAccess({ role, workspaceAccess });
      const passwordHash = await hasher.hash(password);
      const user = newUser({ id: random.uuid(), username, passwordHash, role, workspaceAccess }, clock.now());
      await users.transaction(audit, async (repository, record) => {
        await repository.insert(user);
        await record({ resourceId: user.id, after: presentUser(user) });
      });
      return user;
    },

    update: (id: string, request: UpdateUserRequest, { principal: caller, audit }: Requester): Promise<User> =>
      users.transaction(audit, async (repository, record) => {
        const user = await existing(repository, id);
        if (request.isDisabled === true && caller.id === id) throw ownAccount('disable');
        const changed = applyChanges(user, request, clock.now());
        assertAccess(changed);
        if (isEnabledAdmin(user) && !isEnabledAdmin(changed)) await assertNotLastAdmin(repository, id);
        await repository.update(changed);
        await record({ before: presentUser(user), after: presentUser(changed) });
        return changed;
      }),

    remove: (id: string, { principal: caller, audit }: Requester): Promise<void> =>
      users.transaction(audit, async (repository, record) => {
        const user = await existing(repository, id);
        if (caller.id === id) throw ownAccount('delete');
        if (isEnabledAdmin(user)) await assertNotLastAdmin(repository, id);
        await repository.remove(id);
        await record({ before: presentUser(user) });
      }),

    /** Ends all sessions and tokens of the user, who can sign in again. */
    endSessions: (id: string, audit: AuditedOperation): Promise<void> =>
      users.transaction(audit, async (repository, record) => {
        const user = await existing(repository, id);
        await repository.update({ ...user, tokenVersion: user.tokenVersion + 1, updatedAt: clock.now() });
        await record({});
      }),

    async resetPassword(id: string, newPassword: string, audit: AuditedOperation): Promise<void> {
      const { username, passwordHash: present } = await existing(users, id);
      if (present === undefined) throw hasNoPassword();
      await assertStrongPassword(newPassword, username);
      const passwordHash = await hasher.hash(newPassword);
      await users.transaction(audit, async (repository, record) => {
        const user = await existing(repository, id);
        await repository.update(withPassword(user, passwordHash, clock.now()));
        await record({});
      });
    },
  };
}

type NewUser = Pick<User, 'id' | 'username' | 'passwordHash' | 'role' | 'workspaceAccess'>;

/** Creates a user who signs in with a password of this server. */
function newUser(values: NewUser, now: Date): User {
  return {
    ...values,
    authProvider: 'builtin',
    externalId: undefined,
    isDisabled: false,
    tokenVersion: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** Returns the user with a new password, which ends all tokens that were signed before. */
export function withPassword(user: User, passwordHash: string, now: Date): User {
  return { ...user, passwordHash, tokenVersion: user.tokenVersion + 1, updatedAt: now };
}

async function existing(users: Pick<UserRepository, 'findById'>, id: string): Promise<User> {
  const user = await users.findById(id);
  if (user === undefined) throw userNotFound(id);
  return user;
}

function applyChanges(user: User, request: UpdateUserRequest, now: Date): User {
  const isDisabled = request.isDisabled ?? user.isDisabled;
  return {
    ...user,
    username: request.username ?? user.username,
    role: request.role ?? user.role,
    workspaceAccess: request.workspaceAccess ?? user.workspaceAccess,
    isDisabled,
    // Old tokens stay invalid when the user is enabled again.
    tokenVersion: isDisabled && !user.isDisabled ? user.tokenVersion + 1 : user.tokenVersion,
    updatedAt: now,
  };
}

function assertAccess({ role, workspaceAccess }: Pick<User, 'role' | 'workspaceAccess'>): void {
  const problem = workspaceAccessProblem(role, workspaceAccess);
  if (problem !== undefined) throw workspaceAccessInvalid(problem);
}

async function assertNotLastAdmin(users: UserRepository, id: string): Promise<void> {
  if ((await users.countOtherEnabledAdmins(id)) === 0) throw lastAdmin();
}
