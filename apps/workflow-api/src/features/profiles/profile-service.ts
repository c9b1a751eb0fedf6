import { maxSecretBytes, profileLimits } from '@weir/workflow-contract';
import type {
  CreateProfileRequest,
  UpdateProfileDefaultsRequest,
  UpdateProfileRequest,
} from '@weir/workflow-contract/schemas';
import { isAppError } from '@weir/foundation';
import { minSecretLength } from '@weir/workflow-engine';
import type { Clock } from '@weir/workflow-engine/model';
import { reservedEnvNames } from '@weir/workflow-spec/values';
import { canSee, hasRoleEverywhere, requireRole, requireRoleEverywhere } from '../../access/access-rules';
import { workspaceNotFound } from '../../access/auth-errors';
import type { Principal } from '../../access/principal';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import type { WorkspaceRepository } from '../workspaces';
import {
  entryNotFound,
  profileKeyReserved,
  profileLimit,
  profileNotFound,
  profileProtected,
  profileUnknown,
  profileValueUnusable,
} from './profile-errors';
import {
  byName,
  globalName,
  isLayerName,
  sealContext,
  workspaceLayerName,
  type ProfileEntry,
  type ProfileRepository,
  type StoredProfile,
} from './profile';

export interface ProfileServicePorts {
  readonly profiles: ProfileRepository;
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly workspaces: Pick<WorkspaceRepository, 'list'>;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

/** The defaults of a workspace, or of all runs. */
export interface DefaultsScope {
  readonly workspace?: string | undefined;
}

export interface ProfileChange {
  readonly before: StoredProfile;
  readonly after: StoredProfile;
}

const reserved: ReadonlySet<string> = new Set(reservedEnvNames);

export type ProfileService = ReturnType<typeof createProfileService>;

export function createProfileService({ profiles, sealer, workspaces, clock, random }: ProfileServicePorts) {
  const newProfile = (name: string): StoredProfile => ({
    id: random.uuid(),
    name,
    description: '',
    isDisabled: false,
    isProtected: false,
    defaultProfile: null,
    createdAt: clock.now(),
    updatedAt: clock.now(),
    entries: [],
  });

  const findVisible = async (name: string, principal: Principal): Promise<StoredProfile> => {
    const profile = await profiles.find(name);
    if (profile === undefined) throw profileNotFound(name);
    if (profile.isProtected && !hasRoleEverywhere(principal, 'admin')) throw profileProtected(name);
    return profile;
  };

  const findManaged = async (name: string, principal: Principal): Promise<StoredProfile> => {
    requireRoleEverywhere(principal, 'manager');
    return findVisible(name, principal);
  };

  const readScope = async ({ workspace }: DefaultsScope, principal: Principal): Promise<string> => {
    if (workspace === undefined) {
      requireRoleEverywhere(principal, 'admin');
      return globalName;
    }
    if (!canSee(principal, workspace)) throw workspaceNotFound(workspace);
    requireRole(principal, workspace, 'manager');
    if (!(await workspaces.list()).some(({ name }) => name === workspace)) throw workspaceNotFound(workspace);
    return workspaceLayerName(workspace);
  };

  /** Defaults are stored by their first change. */
  const findDefaults = async (scope: DefaultsScope, principal: Principal): Promise<StoredProfile> => {
    const name = await readScope(scope, principal);
    const found = await profiles.find(name);
    if (found !== undefined) return found;
    const created = newProfile(name);
    try {
      await profiles.insert(created);
      return created;
    } catch (error) {
      if (!isAppError(error) || error.reason !== 'profile_name_taken') throw error;
      return (await profiles.find(name)) ?? created;
    }
  };

  const putEntry = async (
    before: StoredProfile,
    key: string,
    content: ProfileEntry['content'],
  ): Promise<ProfileChange> => {
    assertFits(before, key, content);
    const now = clock.now();
    const after = await profiles.putEntry(before.name, { key, content, createdAt: now, updatedAt: now });
    return { before, after };
  };

  const seal = async ({ id }: StoredProfile, key: string, value: string): Promise<ProfileEntry['content']> => {
    assertKey(key);
    assertSecret(value);
    return { sealed: await sealer.seal(value, sealContext(id, key)) };
  };

  const removeEntry = async (before: StoredProfile, key: string): Promise<StoredProfile> => {
    if (!(await profiles.removeEntry(before.name, key, clock.now()))) throw entryNotFound(key);
    return before;
  };

  return {
    async list(principal: Principal): Promise<readonly StoredProfile[]> {
      const isAdmin = hasRoleEverywhere(principal, 'admin');
      const all = await profiles.list();
      return all.filter(({ name, isProtected }) => !isLayerName(name) && (isAdmin || !isProtected)).toSorted(byName);
    },

    get: findVisible,

    async create(request: CreateProfileRequest, principal: Principal): Promise<StoredProfile> {
      requireRoleEverywhere(principal, request.protected ? 'admin' : 'manager');
      const { name, description = '', protected: isProtected } = request;
      const stored = (await profiles.list()).filter((each) => !isLayerName(each.name));
      if (stored.length >= profileLimits.profiles) throw profileLimit(`${profileLimits.profiles} profiles`);
      const profile = { ...newProfile(name), description, isProtected };
      await profiles.insert(profile);
      return profile;
    },

    async update(name: string, request: UpdateProfileRequest, principal: Principal): Promise<ProfileChange> {
      const before = await findManaged(name, principal);
      const { description, status, protected: isProtected } = request;
      if (isProtected === true) requireRoleEverywhere(principal, 'admin');
      const after = await profiles.update(name, {
        ...(description === undefined ? {} : { description }),
        ...(status === undefined ? {} : { isDisabled: status === 'disabled' }),
        ...(isProtected === undefined ? {} : { isProtected }),
        updatedAt: clock.now(),
      });
      return { before, after };
    },

    /** Returns the removed profile. */
    async remove(name: string, principal: Principal): Promise<StoredProfile> {
      const profile = await findManaged(name, principal);
      await profiles.remove(name);
      return profile;
    },

    setVariable: async (name: string, key: string, value: string, principal: Principal) =>
      putEntry(await findManaged(name, principal), key, { value }),

    async setSecret(name: string, key: string, value: string, principal: Principal): Promise<ProfileChange> {
      const profile = await findManaged(name, principal);
      return putEntry(profile, key, await seal(profile, key, value));
    },

    removeEntry: async (name: string, key: string, principal: Principal) =>
      removeEntry(await findManaged(name, principal), key),

    /** Returns `undefined` before the first change. */
    getDefaults: async (scope: DefaultsScope, principal: Principal) => profiles.find(await readScope(scope, principal)),

    async updateDefaults(
      scope: DefaultsScope,
      { description, defaultProfile }: UpdateProfileDefaultsRequest,
      principal: Principal,
    ): Promise<ProfileChange> {
      const before = await findDefaults(scope, principal);
      if (defaultProfile !== undefined && defaultProfile !== '') {
        const profile = await profiles.find(defaultProfile);
        if (profile === undefined) throw profileUnknown(defaultProfile);
        if (profile.isProtected && !hasRoleEverywhere(principal, 'admin')) throw profileProtected(defaultProfile);
      }
      const after = await profiles.update(before.name, {
        ...(description === undefined ? {} : { description }),
        ...(defaultProfile === undefined ? {} : { defaultProfile: defaultProfile === '' ? null : defaultProfile }),
        updatedAt: clock.now(),
      });
      return { before, after };
    },

    setDefaultVariable: async (scope: DefaultsScope, key: string, value: string, principal: Principal) =>
      putEntry(await findDefaults(scope, principal), key, { value }),

    async setDefaultSecret(
      scope: DefaultsScope,
      key: string,
      value: string,
      principal: Principal,
    ): Promise<ProfileChange> {
      const defaults = await findDefaults(scope, principal);
      return putEntry(defaults, key, await seal(defaults, key, value));
    },

    removeDefaultEntry: async (scope: DefaultsScope, key: string, principal: Principal) =>
      removeEntry(await findDefaults(scope, principal), key),
  };
}

/** Limits what each run that uses the profile stores. */
function assertFits({ entries }: StoredProfile, key: string, content: ProfileEntry['content']): void {
  assertKey(key);
  const others = entries.filter((entry) => entry.key !== key);
  if (others.length >= profileLimits.entries) throw profileLimit(`${profileLimits.entries} variables and secrets`);
  if (!('value' in content)) return;
  const { value } = content;
  if (Buffer.byteLength(value) > profileLimits.variableBytes) {
    throw profileValueUnusable(`must not exceed ${profileLimits.variableBytes} bytes`);
  }
  const variables = [...others, { key, content }].flatMap((entry) =>
    'value' in entry.content ? [entry.key, entry.content.value] : [],
  );
  const bytes = variables.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > profileLimits.variablesBytes) {
    throw profileLimit(`${profileLimits.variablesBytes} bytes of variables in a profile`);
  }
}

function assertKey(key: string): void {
  if (/^(DAGU|WEIR)_/.test(key) || reserved.has(key)) throw profileKeyReserved(key);
}

/** Values that no run could use are refused when they are written. */
function assertSecret(value: string): void {
  if (Buffer.byteLength(value) > maxSecretBytes) throw profileValueUnusable(`must not exceed ${maxSecretBytes} bytes`);
  if (Buffer.byteLength(value.trim()) < minSecretLength) {
    throw profileValueUnusable(`must have at least ${minSecretLength} characters, or it could not be masked in logs`);
  }
}
