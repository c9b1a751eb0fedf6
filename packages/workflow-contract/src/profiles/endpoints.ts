import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode, workspaceName } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import {
  CreateProfileRequest,
  ProfileDefaultsResponse,
  profileKey,
  ProfileListResponse,
  profileName,
  ProfileResponse,
  SetProfileSecretRequest,
  SetProfileVariableRequest,
  UpdateProfileDefaultsRequest,
  UpdateProfileRequest,
} from './schemas';

const tag = 'profiles';
const managers = rolesFrom('manager');
const administrators = rolesFrom('admin');
// The role in the workspace counts, see `objectRoles`.
const members = 'authenticated';
const query = z.object({ remoteNode: localNode });
const key = profileKey.describe('Name of the variable that runs get.');
const { unauthenticated } = errorAnswers;

const profile = z.object({ profileName: profileName.describe('Name of the profile.') });
const profileEntry = z.object({ profileName: profileName.describe('Name of the profile.'), key });
const entry = z.object({ key });
const workspace = z.object({ workspaceName: workspaceName.describe('Name of the workspace.') });
const workspaceEntry = z.object({ workspaceName: workspaceName.describe('Name of the workspace.'), key });

const invalid = {
  description: 'The request is not valid, or it is meant for another node.',
  reasons: ['request_invalid', 'remote_node_unsupported'],
} as const;
const entryInvalid = {
  description: 'The key or the value is not valid, there are too many, or the request is meant for another node.',
  reasons: [
    'request_invalid',
    'profile_key_reserved',
    'profile_value_unusable',
    'profile_limit',
    'remote_node_unsupported',
  ],
} as const;
const defaultInvalid = {
  description: 'The request is not valid, it is meant for another node, or there is no such profile.',
  reasons: ['request_invalid', 'profile_unknown', 'remote_node_unsupported'],
} as const;
const forbidden = {
  description: 'The role, or the scopes of the API key, do not permit this, or the profile is protected.',
  reasons: ['role_missing', 'scope_missing', 'surface_missing', 'profile_protected'],
} as const;
const notFound = { description: 'There is no such profile.', reasons: ['profile_not_found'] } as const;
const entryNotFound = {
  description: 'There is no such profile or entry.',
  reasons: ['profile_not_found', 'profile_entry_not_found'],
} as const;
const defaultNotFound = { description: 'There is no such default.', reasons: ['profile_entry_not_found'] } as const;
const workspaceNotFound = {
  description: 'The workspace is unknown or not visible.',
  reasons: ['workspace_not_found'],
} as const;
const workspaceEntryNotFound = {
  description: 'The workspace is unknown or not visible, or there is no such default.',
  reasons: ['workspace_not_found', 'profile_entry_not_found'],
} as const;
const base = { 400: invalid, 401: unauthenticated, 403: forbidden } as const;
const success = { status: 200, description: 'The profile.', schema: ProfileResponse } as const;
const defaults = { status: 200, description: 'The defaults.', schema: ProfileDefaultsResponse } as const;
const removed = { status: 204, description: 'The entry was deleted.' } as const;

export const listRuntimeProfiles = endpoint({
  method: 'GET',
  path: '/profiles',
  operationId: 'listRuntimeProfiles',
  tag,
  summary: 'List profiles',
  description: 'Protected profiles are listed for administrators only.',
  access: 'authenticated',
  query,
  success: { status: 200, description: 'The profiles.', schema: ProfileListResponse },
  errors: { 400: invalid, 401: unauthenticated },
});

export const createRuntimeProfile = endpoint({
  method: 'POST',
  path: '/profiles',
  operationId: 'createRuntimeProfile',
  audit: { category: 'profile', action: 'profile_create' },
  tag,
  summary: 'Create a profile',
  description: 'Runs use it when their start or schedule names it.',
  access: managers,
  query,
  body: CreateProfileRequest,
  success: { status: 201, description: 'The profile was created.', schema: ProfileResponse },
  errors: {
    400: {
      description: 'The request is not valid, there are too many profiles, or it is meant for another node.',
      reasons: ['request_invalid', 'profile_limit', 'remote_node_unsupported'],
    },
    401: unauthenticated,
    403: forbidden,
    409: { description: 'There is a profile of this name.', reasons: ['profile_name_taken'] },
  },
});

export const getGlobalRuntimeProfileDefaults = endpoint({
  method: 'GET',
  path: '/profiles/_global',
  operationId: 'getGlobalRuntimeProfileDefaults',
  tag,
  summary: 'Get the variables and secrets of all runs',
  access: administrators,
  query,
  success: defaults,
  errors: base,
});

export const updateGlobalRuntimeProfileDefaults = endpoint({
  method: 'PATCH',
  path: '/profiles/_global',
  operationId: 'updateGlobalRuntimeProfileDefaults',
  audit: { category: 'profile', action: 'profile_defaults_update' },
  tag,
  summary: 'Change the description or the default profile of all runs',
  access: administrators,
  query,
  body: UpdateProfileDefaultsRequest,
  success: defaults,
  errors: { ...base, 400: defaultInvalid },
});

export const setGlobalRuntimeProfileDefaultVariable = endpoint({
  method: 'PUT',
  path: '/profiles/_global/variables/{key}',
  operationId: 'setGlobalRuntimeProfileDefaultVariable',
  audit: { category: 'profile', action: 'profile_variable_set' },
  tag,
  summary: 'Set a variable of all runs',
  access: administrators,
  params: entry,
  query,
  body: SetProfileVariableRequest,
  success: defaults,
  errors: { ...base, 400: entryInvalid },
});

export const setGlobalRuntimeProfileDefaultSecret = endpoint({
  method: 'PUT',
  path: '/profiles/_global/secrets/{key}',
  operationId: 'setGlobalRuntimeProfileDefaultSecret',
  audit: { category: 'profile', action: 'profile_secret_set' },
  tag,
  summary: 'Set a secret of all runs',
  access: administrators,
  params: entry,
  query,
  body: SetProfileSecretRequest,
  success: defaults,
  errors: { ...base, 400: entryInvalid },
});

export const deleteGlobalRuntimeProfileDefaultEntry = endpoint({
  method: 'DELETE',
  path: '/profiles/_global/entries/{key}',
  operationId: 'deleteGlobalRuntimeProfileDefaultEntry',
  audit: { category: 'profile', action: 'profile_entry_delete' },
  tag,
  summary: 'Delete a variable or secret of all runs',
  access: administrators,
  params: entry,
  query,
  success: removed,
  errors: { ...base, 404: defaultNotFound },
});

export const getWorkspaceRuntimeProfileDefaults = endpoint({
  method: 'GET',
  path: '/profiles/_workspaces/{workspaceName}',
  operationId: 'getWorkspaceRuntimeProfileDefaults',
  tag,
  summary: 'Get the variables and secrets of the runs of a workspace',
  access: members,
  params: workspace,
  query,
  success: defaults,
  errors: { ...base, 404: workspaceNotFound },
});

export const updateWorkspaceRuntimeProfileDefaults = endpoint({
  method: 'PATCH',
  path: '/profiles/_workspaces/{workspaceName}',
  operationId: 'updateWorkspaceRuntimeProfileDefaults',
  audit: { category: 'profile', action: 'profile_defaults_update' },
  tag,
  summary: 'Change the description or the default profile of the runs of a workspace',
  access: members,
  params: workspace,
  query,
  body: UpdateProfileDefaultsRequest,
  success: defaults,
  errors: { ...base, 400: defaultInvalid, 404: workspaceNotFound },
});

export const setWorkspaceRuntimeProfileDefaultVariable = endpoint({
  method: 'PUT',
  path: '/profiles/_workspaces/{workspaceName}/variables/{key}',
  operationId: 'setWorkspaceRuntimeProfileDefaultVariable',
  audit: { category: 'profile', action: 'profile_variable_set' },
  tag,
  summary: 'Set a variable of the runs of a workspace',
  access: members,
  params: workspaceEntry,
  query,
  body: SetProfileVariableRequest,
  success: defaults,
  errors: { ...base, 400: entryInvalid, 404: workspaceNotFound },
});

export const setWorkspaceRuntimeProfileDefaultSecret = endpoint({
  method: 'PUT',
  path: '/profiles/_workspaces/{workspaceName}/secrets/{key}',
  operationId: 'setWorkspaceRuntimeProfileDefaultSecret',
  audit: { category: 'profile', action: 'profile_secret_set' },
  tag,
  summary: 'Set a secret of the runs of a workspace',
  access: members,
  params: workspaceEntry,
  query,
  body: SetProfileSecretRequest,
  success: defaults,
  errors: { ...base, 400: entryInvalid, 404: workspaceNotFound },
});

export const deleteWorkspaceRuntimeProfileDefaultEntry = endpoint({
  method: 'DELETE',
  path: '/profiles/_workspaces/{workspaceName}/entries/{key}',
  operationId: 'deleteWorkspaceRuntimeProfileDefaultEntry',
  audit: { category: 'profile', action: 'profile_entry_delete' },
  tag,
  summary: 'Delete a variable or secret of the runs of a workspace',
  access: members,
  params: workspaceEntry,
  query,
  success: removed,
  errors: { ...base, 404: workspaceEntryNotFound },
});

export const getRuntimeProfile = endpoint({
  method: 'GET',
  path: '/profiles/{profileName}',
  operationId: 'getRuntimeProfile',
  tag,
  summary: 'Get a profile without the values of its secrets',
  access: 'authenticated',
  params: profile,
  query,
  success,
  errors: { ...base, 404: notFound },
});

export const updateRuntimeProfile = endpoint({
  method: 'PATCH',
  path: '/profiles/{profileName}',
  operationId: 'updateRuntimeProfile',
  audit: { category: 'profile', action: 'profile_update' },
  tag,
  summary: 'Change a profile',
  access: managers,
  params: profile,
  query,
  body: UpdateProfileRequest,
  success,
  errors: { ...base, 404: notFound },
});

export const deleteRuntimeProfile = endpoint({
  method: 'DELETE',
  path: '/profiles/{profileName}',
  operationId: 'deleteRuntimeProfile',
  audit: { category: 'profile', action: 'profile_delete' },
  tag,
  summary: 'Delete a profile with its entries',
  description: 'It is no default any more. Runs that were started with it and need its secrets fail.',
  access: managers,
  params: profile,
  query,
  success: { status: 204, description: 'The profile was deleted.' },
  errors: { ...base, 404: notFound },
});

export const setRuntimeProfileVariable = endpoint({
  method: 'PUT',
  path: '/profiles/{profileName}/variables/{key}',
  operationId: 'setRuntimeProfileVariable',
  audit: { category: 'profile', action: 'profile_variable_set' },
  tag,
  summary: 'Set a variable of a profile',
  description: 'Runs that are started from now on get it.',
  access: managers,
  params: profileEntry,
  query,
  body: SetProfileVariableRequest,
  success,
  errors: { ...base, 400: entryInvalid, 404: notFound },
});

export const setRuntimeProfileSecret = endpoint({
  method: 'PUT',
  path: '/profiles/{profileName}/secrets/{key}',
  operationId: 'setRuntimeProfileSecret',
  audit: { category: 'profile', action: 'profile_secret_set' },
  tag,
  summary: 'Set a secret of a profile',
  description: 'Runs that begin or resume from now on get it.',
  access: managers,
  params: profileEntry,
  query,
  body: SetProfileSecretRequest,
  success,
  errors: { ...base, 400: entryInvalid, 404: notFound },
});

export const deleteRuntimeProfileEntry = endpoint({
  method: 'DELETE',
  path: '/profiles/{profileName}/entries/{key}',
  operationId: 'deleteRuntimeProfileEntry',
  audit: { category: 'profile', action: 'profile_entry_delete' },
  tag,
  summary: 'Delete a variable or secret of a profile',
  access: managers,
  params: profileEntry,
  query,
  success: removed,
  errors: { ...base, 404: entryNotFound },
});
