import { workflowContract } from '@weir/workflow-contract';
import type { ProfileDefaultsResponse, ProfileResponse } from '@weir/workflow-contract/schemas';
import type { AuditedOperation } from '../../access/audited-operation';
import type { Bind } from '../../access/bind';
import { globalName, workspaceLayerName, type StoredProfile } from './profile';
import type { DefaultsScope, ProfileChange, ProfileService } from './profile-service';

export function bindProfileRoutes(bind: Bind, profiles: ProfileService): void {
  bindDefaults(bind, profiles);
  bind(workflowContract.listRuntimeProfiles, async ({ principal }) => ({
    profiles: (await profiles.list(principal)).map(present),
  }));

  bind(workflowContract.createRuntimeProfile, async ({ input: { body }, principal, audit }) => {
    const after = present(await profiles.create(body, principal));
    await audit.record({ resourceId: after.id, after });
    return after;
  });

  bind(workflowContract.getRuntimeProfile, async ({ input: { params }, principal }) =>
    present(await profiles.get(params.profileName, principal)),
  );

  bind(workflowContract.updateRuntimeProfile, async ({ input: { params, body }, principal, audit }) =>
    recordChange(await profiles.update(params.profileName, body, principal), audit),
  );

  bind(workflowContract.deleteRuntimeProfile, async ({ input: { params }, principal, audit }) => {
    await audit.record({ before: present(await profiles.remove(params.profileName, principal)) });
  });

  bind(workflowContract.setRuntimeProfileVariable, async ({ input: { params, body }, principal, audit }) =>
    recordChange(await profiles.setVariable(params.profileName, params.key, body.value, principal), audit),
  );

  bind(workflowContract.setRuntimeProfileSecret, async ({ input: { params, body }, principal, audit }) =>
    recordChange(await profiles.setSecret(params.profileName, params.key, body.value, principal), audit),
  );

  bind(workflowContract.deleteRuntimeProfileEntry, async ({ input: { params }, principal, audit }) => {
    await audit.record({ before: present(await profiles.removeEntry(params.profileName, params.key, principal)) });
  });
}

function bindDefaults(bind: Bind, profiles: ProfileService): void {
  const everywhere: DefaultsScope = {};
  const changed = async (scope: DefaultsScope, { before, after }: ProfileChange, audit: AuditedOperation) => {
    const [from, to] = [presentDefaults(scope, before), presentDefaults(scope, after)];
    await audit.record({ ...scope, before: from, after: to });
    return to;
  };

  bind(workflowContract.getGlobalRuntimeProfileDefaults, async ({ principal }) =>
    presentDefaults(everywhere, await profiles.getDefaults(everywhere, principal)),
  );
  bind(workflowContract.updateGlobalRuntimeProfileDefaults, async ({ input: { body }, principal, audit }) =>
    changed(everywhere, await profiles.updateDefaults(everywhere, body, principal), audit),
  );
  bind(workflowContract.setGlobalRuntimeProfileDefaultVariable, async ({ input: { params, body }, principal, audit }) =>
    changed(everywhere, await profiles.setDefaultVariable(everywhere, params.key, body.value, principal), audit),
  );
  bind(workflowContract.setGlobalRuntimeProfileDefaultSecret, async ({ input: { params, body }, principal, audit }) =>
    changed(everywhere, await profiles.setDefaultSecret(everywhere, params.key, body.value, principal), audit),
  );
  bind(workflowContract.deleteGlobalRuntimeProfileDefaultEntry, async ({ input: { params }, principal, audit }) => {
    const before = await profiles.removeDefaultEntry(everywhere, params.key, principal);
    await audit.record({ before: presentDefaults(everywhere, before) });
  });

  bind(workflowContract.getWorkspaceRuntimeProfileDefaults, async ({ input: { params }, principal }) => {
    const scope = { workspace: params.workspaceName };
    return presentDefaults(scope, await profiles.getDefaults(scope, principal));
  });
  bind(
    workflowContract.updateWorkspaceRuntimeProfileDefaults,
    async ({ input: { params, body }, principal, audit }) => {
      const scope = { workspace: params.workspaceName };
      return changed(scope, await profiles.updateDefaults(scope, body, principal), audit);
    },
  );
  bind(
    workflowContract.setWorkspaceRuntimeProfileDefaultVariable,
    async ({ input: { params, body }, principal, audit }) => {
      const scope = { workspace: params.workspaceName };
      return changed(scope, await profiles.setDefaultVariable(scope, params.key, body.value, principal), audit);
    },
  );
  bind(
    workflowContract.setWorkspaceRuntimeProfileDefaultSecret,
    async ({ input: { params, body }, principal, audit }) => {
      const scope = { workspace: params.workspaceName };
      return changed(scope, await profiles.setDefaultSecret(scope, params.key, body.value, principal), audit);
    },
  );
  bind(workflowContract.deleteWorkspaceRuntimeProfileDefaultEntry, async ({ input: { params }, principal, audit }) => {
    const scope = { workspace: params.workspaceName };
    const before = await profiles.removeDefaultEntry(scope, params.key, principal);
    await audit.record({ ...scope, before: presentDefaults(scope, before) });
  });
}

/** The audit log gets the profile before and after, but never a secret. */
async function recordChange({ before, after }: ProfileChange, audit: AuditedOperation): Promise<ProfileResponse> {
  const presented = present(after);
  await audit.record({ before: present(before), after: presented });
  return presented;
}

function present(profile: StoredProfile): ProfileResponse {
  const { id, name, description, isDisabled, isProtected } = profile;
  return {
    id,
    name,
    ...(description === '' ? {} : { description }),
    status: isDisabled ? 'disabled' : 'active',
    protected: isProtected,
    entries: presentEntries(profile),
    createdAt: profile.createdAt.toISOString(),
    updatedAt: profile.updatedAt.toISOString(),
  };
}

function presentDefaults({ workspace }: DefaultsScope, stored: StoredProfile | undefined): ProfileDefaultsResponse {
  const scope =
    workspace === undefined
      ? { name: globalName, scope: 'global' as const }
      : { name: workspaceLayerName(workspace), scope: 'workspace' as const, workspace };
  if (stored === undefined) return { ...scope, status: 'active', protected: false, entries: [] };
  const { id, description, defaultProfile } = stored;
  return {
    id,
    ...scope,
    ...(defaultProfile === null ? {} : { defaultProfile }),
    ...(description === '' ? {} : { description }),
    status: 'active',
    protected: false,
    entries: presentEntries(stored),
    createdAt: stored.createdAt.toISOString(),
    updatedAt: stored.updatedAt.toISOString(),
  };
}

function presentEntries({ entries }: StoredProfile): ProfileResponse['entries'] {
  return entries.map(({ key, content, createdAt, updatedAt }) => ({
    key,
    ...('value' in content ? { kind: 'variable' as const, value: content.value } : { kind: 'secret' as const }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}
