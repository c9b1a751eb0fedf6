import type { Clock } from '@weir/workflow-engine/model';
import { isAppError } from '@weir/foundation';
import type { RecordChange } from '../../access/audited-operation';
import type { RandomSource } from '../../adapters/random-source';
import { userDisabled } from '../../access/auth-errors';
import { presentUser, type UserStore } from '../users';
import type { User } from '../../access/user';
import type { AdmissionRules } from '../../config/external-sign-in-settings';
import { accessOfGrants, type Access } from '../../access/access-of-groups';
import { proposeUsernames, type ExternalIdentity } from './external-identity';
import type { PersonSignIn } from './sign-in-pages';
import { emailNotAllowed, noRole, noUser, setupNeeded } from './external-sign-in-errors';

export interface AdmissionPorts {
  readonly users: UserStore;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

/** The user of a verified person, created where the rules allow it. Rejects with the reasons of `signInFailures`. */
export type AdmitPerson = (identity: ExternalIdentity, rules: AdmissionRules, person: PersonSignIn) => Promise<User>;

const maxAttempts = 3;

export function createAdmission(ports: AdmissionPorts): AdmitPerson {
  return async (identity, rules, { onFound, audit }) => {
    assertEmailAllowed(identity, rules);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ports.users.transaction(audit, (users, record) =>
          admit({ ...ports, users, onFound, record }, identity, rules),
        );
      } catch (error) {
        // Another request has stored the same person or name meanwhile.
        if (!isAppError(error) || error.code !== 'conflict' || attempt === maxAttempts) throw error;
      }
    }
  };
}

type TransactionPorts = Omit<AdmissionPorts, 'users'> & {
  readonly users: Omit<UserStore, 'transaction'>;
  readonly onFound: PersonSignIn['onFound'];
  readonly record: RecordChange;
};

async function admit(ports: TransactionPorts, identity: ExternalIdentity, rules: AdmissionRules): Promise<User> {
  const { users, clock, onFound, record } = ports;
  const present = await users.findByExternalId(identity.externalId);
  if (present === undefined) return create(ports, identity, rules);
  onFound(present);
  if (present.isDisabled) throw userDisabled();
  if (!rules.syncsRoles) return present;
  const access = requireAccess(identity, rules);
  if (isSameAccess(present, access)) return present;
  const changed = { ...present, ...access, updatedAt: clock.now() };
  await users.update(changed);
  await record({ resourceId: present.id, before: presentUser(present), after: presentUser(changed) });
  return changed;
}

async function create(
  { users, clock, random, onFound, record }: TransactionPorts,
  identity: ExternalIdentity,
  rules: AdmissionRules,
): Promise<User> {
  // The first user is an admin of this server, whom no other provider can lock out.
  if ((await users.count()) === 0) throw setupNeeded();
  if (!rules.createsUsers) throw noUser();
  const access = requireAccess(identity, rules);
  const now = clock.now();
  const user: User = {
    id: random.uuid(),
    username: await findFreeName(users, identity),
    passwordHash: undefined,
    ...access,
    authProvider: identity.provider,
    externalId: identity.externalId,
    isDisabled: false,
    tokenVersion: 0,
    createdAt: now,
    updatedAt: now,
  };
  onFound(user);
  await users.insert(user);
  await record({ resourceId: user.id, after: presentUser(user) });
  return user;
}

async function findFreeName(users: TransactionPorts['users'], identity: ExternalIdentity): Promise<string> {
  const names = proposeUsernames(identity);
  for (const name of names.slice(0, -1)) if ((await users.findByUsername(name)) === undefined) return name;
  return names.at(-1) ?? '';
}

function requireAccess({ groups, grants }: ExternalIdentity, { groupMappings, defaultRole }: AdmissionRules): Access {
  const ofGroups = groups.flatMap((group) => groupMappings.get(group) ?? []);
  const access = accessOfGrants([...ofGroups, ...grants], defaultRole);
  if (access === undefined) throw noRole();
  return access;
}

function isSameAccess(user: User, { role, workspaceAccess }: Access): boolean {
  const { all, grants } = user.workspaceAccess;
  const toText = (list: typeof grants): string =>
    JSON.stringify(list.map((grant) => [grant.workspace, grant.role]).sort());
  return user.role === role && all === workspaceAccess.all && toText(grants) === toText(workspaceAccess.grants);
}

function assertEmailAllowed({ email }: ExternalIdentity, { allowedEmails, allowedDomains }: AdmissionRules): void {
  if (allowedEmails.length === 0 && allowedDomains.length === 0) return;
  const address = email?.toLowerCase();
  const domain = address?.slice(address.lastIndexOf('@') + 1);
  if (address === undefined || !address.includes('@') || domain === undefined) throw emailNotAllowed();
  if (!allowedEmails.includes(address) && !allowedDomains.includes(domain)) throw emailNotAllowed();
}
