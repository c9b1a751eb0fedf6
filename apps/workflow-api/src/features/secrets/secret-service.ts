import { maxSecretBytes } from '@weir/workflow-contract';
import type { CreateSecretRequest, UpdateSecretRequest } from '@weir/workflow-contract/schemas';
import { minSecretLength } from '@weir/workflow-engine';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import { canSee, requireRole } from '../../access/access-rules';
import { workspaceNotFound } from '../../access/auth-errors';
import type { Principal } from '../../access/principal';
import type { WorkspaceRepository } from '../workspaces';
import { secretNotFound, secretValueUnusable } from './secret-errors';
import type { SecretPage, SecretRepository } from './secret-repository';
import { sealContext, type SecretVersion, type StoredSecret } from './stored-secret';

export interface SecretServicePorts {
  readonly secrets: SecretRepository;
  readonly sealer: Sealer;
  readonly workspaces: Pick<WorkspaceRepository, 'list'>;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

export type SecretService = ReturnType<typeof createSecretService>;

const versionsKept = 10;
/** Clients use this name for the secrets that all workspaces share. */
export const globalScope = 'global';

/** Serves the operations of managers on the secrets of a workspace. No operation returns a value. */
export function createSecretService({ secrets, sealer, workspaces, clock, random }: SecretServicePorts) {
  const findManaged = async (id: string, principal: Principal): Promise<StoredSecret> => {
    const secret = await secrets.findById(id);
    if (secret === undefined || !canSee(principal, secret.workspace)) throw secretNotFound(id);
    requireRole(principal, secret.workspace, 'manager');
    return secret;
  };

  const readScope = async (name: string | undefined, principal: Principal): Promise<string | undefined> => {
    const workspace = toWorkspace(name);
    const isKnown =
      workspace === undefined || (await workspaces.list()).some((existing) => existing.name === workspace);
    if (workspace !== undefined && !(isKnown && canSee(principal, workspace))) throw workspaceNotFound(workspace);
    requireRole(principal, workspace, 'manager');
    return workspace;
  };

  const seal = async (secretId: string, number: number, value: string, by: Principal): Promise<SecretVersion> => {
    assertUsable(value);
    const sealed = await sealer.seal(value, sealContext({ secretId, number }));
    return { secretId, number, ...sealed, createdAt: clock.now(), createdBy: by.id };
  };

  const setDisabled = async (id: string, isDisabled: boolean, principal: Principal): Promise<StoredSecret> => {
    await findManaged(id, principal);
    return secrets.update(id, { isDisabled, updatedAt: clock.now() });
  };

  return {
    list: async (workspace: string | undefined, page: SecretPage, principal: Principal) =>
      secrets.list(await readScope(workspace, principal), page),

    get: findManaged,

    async create(request: CreateSecretRequest, principal: Principal): Promise<StoredSecret> {
      const { ref, description = '', value } = request;
      const workspace = await readScope(request.workspace, principal);
      const now = clock.now();
      const id = random.uuid();
      const version = value === undefined ? undefined : await seal(id, 1, value, principal);
      const secret: StoredSecret = {
        id,
        workspace,
        ref,
        description,
        isDisabled: false,
        createdAt: now,
        updatedAt: now,
        currentVersion: version?.number ?? 0,
        lastResolvedAt: undefined,
        lastRotatedAt: version?.createdAt,
      };
      await secrets.insert(secret, version);
      return secret;
    },

    async update(id: string, { description }: UpdateSecretRequest, principal: Principal): Promise<StoredSecret> {
      await findManaged(id, principal);
      return secrets.update(id, { ...(description === undefined ? {} : { description }), updatedAt: clock.now() });
    },

    /** Throws `secret_changed` when another value is written at the same time. */
    async writeVersion(id: string, value: string, principal: Principal): Promise<StoredSecret> {
      const { currentVersion } = await findManaged(id, principal);
      return secrets.addVersion(await seal(id, currentVersion + 1, value, principal), versionsKept);
    },

    disable: (id: string, principal: Principal) => setDisabled(id, true, principal),
    enable: (id: string, principal: Principal) => setDisabled(id, false, principal),

    /** Returns the removed secret. */
    async remove(id: string, principal: Principal): Promise<StoredSecret> {
      const secret = await findManaged(id, principal);
      await secrets.remove(id);
      return secret;
    },
  };
}

function toWorkspace(name: string | undefined): string | undefined {
  return name === undefined || name === '' || name === globalScope ? undefined : name.toLowerCase();
}

/** Values that no run could use are refused when they are written. */
function assertUsable(value: string): void {
  if (value.includes('\0')) throw secretValueUnusable('must not contain a NUL character');
  if (Buffer.byteLength(value) > maxSecretBytes) throw secretValueUnusable(`must not exceed ${maxSecretBytes} bytes`);
  if (Buffer.byteLength(value.trim()) < minSecretLength) {
    throw secretValueUnusable(`must have at least ${minSecretLength} characters, or it could not be masked in logs`);
  }
}
