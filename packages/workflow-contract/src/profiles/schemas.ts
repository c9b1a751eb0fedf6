import { z } from 'zod';
import { maxSecretBytes } from '../secrets/schemas';

const timestamp = z.iso.datetime({ offset: true });
const description = z.string().max(1000);
const namePattern = /^[a-z0-9][a-z0-9._-]*$/;

export const profileName = z
  .string()
  .min(1)
  .max(128)
  .regex(namePattern, 'must be lower-case letters, digits, ".", "_" or "-", and begin with a letter or digit');

/** The profile of a start: empty for none, although there is a default. */
export const profileOverride = z
  .string()
  .max(128)
  .regex(/^$|^[a-z0-9][a-z0-9._-]*$/, 'must be the name of a profile, or empty for none');

export const profileKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits or "_", and must not begin with a digit');

export const profileLimits = { profiles: 200, entries: 200, variableBytes: 16_384, variablesBytes: 65_536 } as const;

const status = z
  .enum(['active', 'disabled'])
  .meta({ id: 'RuntimeProfileStatus', description: 'Whether runs may use the profile.' });

const ProfileEntry = z
  .object({
    key: z.string().describe('Name of the variable that runs get.'),
    kind: z
      .enum(['variable', 'secret'])
      .meta({ id: 'RuntimeProfileEntryKind', description: 'Whether the value is shown, or encrypted and hidden.' }),
    value: z.string().optional().describe('Only of a variable.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it got its present value.'),
  })
  .meta({ id: 'RuntimeProfileEntryResponse', description: 'A variable, or a secret without its value.' });

const entries = z.array(ProfileEntry).describe('By key.');

export const ProfileResponse = z
  .object({
    id: z.string().describe('UUID.'),
    name: z.string().describe('The name by which starts and schedules name it.'),
    description: z.string().optional().describe('Purpose of the profile.'),
    status,
    protected: z.boolean().describe('Whether only administrators may see, change and use it.'),
    entries,
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When anything of it was changed.'),
  })
  .meta({ id: 'RuntimeProfileResponse', description: 'A named set of variables and secrets that runs can get.' });
export type ProfileResponse = z.output<typeof ProfileResponse>;

export const ProfileListResponse = z
  .object({ profiles: z.array(ProfileResponse).describe('By name.') })
  .meta({ id: 'RuntimeProfileListResponse', description: 'Profiles.' });

export const CreateProfileRequest = z
  .object({
    name: profileName.describe('The name by which starts and schedules will name it.'),
    description: description.optional().describe('Purpose of the profile.'),
    protected: z.boolean().default(false).describe('Whether only administrators may see, change and use it.'),
  })
  .meta({ id: 'CreateRuntimeProfileRequest', description: 'A new profile without entries.' });
export type CreateProfileRequest = z.output<typeof CreateProfileRequest>;

export const UpdateProfileRequest = z
  .object({
    description: description.optional().describe('New purpose of the profile.'),
    status: status.optional(),
    protected: z.boolean().optional().describe('Whether only administrators may see, change and use it.'),
  })
  .meta({ id: 'UpdateRuntimeProfileRequest', description: 'What is to be changed.' });
export type UpdateProfileRequest = z.output<typeof UpdateProfileRequest>;

export const ProfileDefaultsResponse = z
  .object({
    id: z.string().optional().describe('UUID; absent before the first change.'),
    name: z
      .string()
      .describe('`_global` or `_workspaces/NAME`.')
      .meta({ id: 'InheritedRuntimeProfileName', description: '`_global` or `_workspaces/NAME`.' }),
    scope: z
      .enum(['global', 'workspace'])
      .meta({ id: 'InheritedRuntimeProfileScope', description: 'Whether all runs get it, or those of a workspace.' }),
    workspace: z.string().optional().describe('Name of the workspace.'),
    defaultProfile: z.string().optional().describe('The profile of runs whose start names none.'),
    description: z.string().optional().describe('Purpose of the defaults.'),
    status,
    protected: z.boolean().describe('Always false.'),
    entries,
    createdAt: timestamp.optional().describe('When it was changed first.'),
    updatedAt: timestamp.optional().describe('When it was changed last.'),
  })
  .meta({
    id: 'InheritedRuntimeProfileResponse',
    description: 'Variables and secrets that all runs get, or all runs of a workspace.',
  });
export type ProfileDefaultsResponse = z.output<typeof ProfileDefaultsResponse>;

export const UpdateProfileDefaultsRequest = z
  .object({
    description: description.optional().describe('New purpose of the defaults.'),
    defaultProfile: profileOverride.optional().describe('The profile of runs whose start names none; empty for none.'),
  })
  .meta({ id: 'UpdateInheritedRuntimeProfileRequest', description: 'What is to be changed.' });
export type UpdateProfileDefaultsRequest = z.output<typeof UpdateProfileDefaultsRequest>;

export const SetProfileVariableRequest = z
  .object({ value: z.string().max(profileLimits.variableBytes).describe('The value; it is taken literally.') })
  .meta({ id: 'SetRuntimeProfileVariableRequest', description: 'The value of a variable.' });

export const SetProfileSecretRequest = z
  .object({ value: z.string().min(1).max(maxSecretBytes).describe('The value, which cannot be read again.') })
  .meta({ id: 'SetRuntimeProfileSecretRequest', description: 'The value of a secret.' });
