import { queryOptions } from '@tanstack/react-query';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { api, type Schemas } from '../../api/client';

/** A profile by its name, or defaults. */
export type ProfileOwner =
  | { readonly kind: 'profile'; readonly profileName: string }
  | { readonly kind: 'global' }
  | { readonly kind: 'workspace'; readonly workspaceName: string };

export type ProfileEntry = Schemas['RuntimeProfileEntryResponse'];

export interface ProfileContent {
  readonly entries: readonly ProfileEntry[];
  readonly defaultProfile?: string | undefined;
}

const workspacePrefix = '_workspaces/';

export function toOwner(name: string): ProfileOwner {
  if (name === '_global') return { kind: 'global' };
  return name.startsWith(workspacePrefix)
    ? { kind: 'workspace', workspaceName: name.slice(workspacePrefix.length) }
    : { kind: 'profile', profileName: name };
}

/** The operation that changes it, and the workspace whose role counts for it. */
export function changeOf(owner: ProfileOwner): readonly [operationId: string, workspace?: string] {
  if (owner.kind === 'global') return ['setGlobalRuntimeProfileDefaultVariable'];
  return owner.kind === 'workspace'
    ? ['setWorkspaceRuntimeProfileDefaultVariable', owner.workspaceName]
    : ['setRuntimeProfileVariable'];
}

export const contentQuery = (owner: ProfileOwner) =>
  queryOptions<ProfileContent, Failure>({
    queryKey: ['profiles', owner],
    queryFn: ({ signal }) => read(owner, signal),
  });

function read(owner: ProfileOwner, signal: AbortSignal): Promise<ProfileContent> {
  if (owner.kind === 'global') return unwrap(api.GET('/profiles/_global', { signal }));
  if (owner.kind === 'workspace') {
    const { workspaceName } = owner;
    return unwrap(api.GET('/profiles/_workspaces/{workspaceName}', { params: { path: { workspaceName } }, signal }));
  }
  const { profileName } = owner;
  return unwrap(api.GET('/profiles/{profileName}', { params: { path: { profileName } }, signal }));
}

export interface EntryValue {
  readonly key: string;
  readonly kind: ProfileEntry['kind'];
  readonly value: string;
}

export async function setEntry(owner: ProfileOwner, { key, kind, value }: EntryValue): Promise<void> {
  const body = { value };
  const isSecret = kind === 'secret';
  if (owner.kind === 'global') {
    const params = { path: { key } };
    await unwrap(
      isSecret
        ? api.PUT('/profiles/_global/secrets/{key}', { params, body })
        : api.PUT('/profiles/_global/variables/{key}', { params, body }),
    );
  } else if (owner.kind === 'workspace') {
    const params = { path: { key, workspaceName: owner.workspaceName } };
    await unwrap(
      isSecret
        ? api.PUT('/profiles/_workspaces/{workspaceName}/secrets/{key}', { params, body })
        : api.PUT('/profiles/_workspaces/{workspaceName}/variables/{key}', { params, body }),
    );
  } else {
    const params = { path: { key, profileName: owner.profileName } };
    await unwrap(
      isSecret
        ? api.PUT('/profiles/{profileName}/secrets/{key}', { params, body })
        : api.PUT('/profiles/{profileName}/variables/{key}', { params, body }),
    );
  }
}

export async function removeEntry(owner: ProfileOwner, key: string): Promise<void> {
  if (owner.kind === 'global') {
    await unwrap(api.DELETE('/profiles/_global/entries/{key}', { params: { path: { key } } }));
  } else if (owner.kind === 'workspace') {
    const path = { key, workspaceName: owner.workspaceName };
    await unwrap(api.DELETE('/profiles/_workspaces/{workspaceName}/entries/{key}', { params: { path } }));
  } else {
    const path = { key, profileName: owner.profileName };
    await unwrap(api.DELETE('/profiles/{profileName}/entries/{key}', { params: { path } }));
  }
}

export async function setDefaultProfile(owner: ProfileOwner, defaultProfile: string): Promise<void> {
  const body = { defaultProfile };
  if (owner.kind === 'global') await unwrap(api.PATCH('/profiles/_global', { body }));
  if (owner.kind !== 'workspace') return;
  const path = { workspaceName: owner.workspaceName };
  await unwrap(api.PATCH('/profiles/_workspaces/{workspaceName}', { params: { path }, body }));
}
