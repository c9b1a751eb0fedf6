import { z } from 'zod';
import { secretRef } from '../secrets/schemas';

const timestamp = z.iso.datetime({ offset: true });

/** Longest secret that a repository is reached with, such as a private key, in characters. */
const maxCredential = 65_536;

export const SyncStatus = z.enum(['synced', 'modified', 'untracked', 'conflict', 'missing']).meta({
  id: 'SyncStatus',
  description:
    'How a file compares with the repository: as last synchronised, changed here, here only, changed on both sides, or deleted here only.',
});
export type SyncStatus = z.output<typeof SyncStatus>;

const SyncSummary = z.enum(['synced', 'pending', 'conflict', 'missing', 'error']).meta({
  id: 'SyncSummary',
  description:
    'The worst that is to be said of all files: the last synchronisation failed, conflicts, files missing here, changes on one side, or none of it.',
});

export const SyncItemKind = z
  .enum(['dag', 'doc'])
  .meta({ id: 'SyncItemKind', description: 'A DAG file, or a Markdown document.' });
export type SyncItemKind = z.output<typeof SyncItemKind>;

const itemId = z.string().describe('Path of the file without extension: "nightly", "docs/guide/start".');
const remote = {
  remoteCommit: z.string().optional().describe('The newest known commit that changed the file.'),
  remoteAuthor: z.string().optional().describe('Its author.'),
  remoteMessage: z.string().optional().describe('The first line of its message.'),
};

export const SyncItem = z
  .object({
    itemId,
    filePath: z.string().describe('Path of the file below the path of the repository.'),
    displayName: z.string().describe('Name for people.'),
    status: SyncStatus,
    kind: SyncItemKind,
    behind: z.boolean().describe('Whether the repository has a newer version, which the next pull brings.'),
    baseCommit: z.string().optional().describe('The commit with which the file was last synchronised.'),
    lastSyncedHash: z.string().optional().describe('Git hash of its content then.'),
    lastSyncedAt: timestamp.optional().describe('When that was.'),
    modifiedAt: timestamp.optional().describe('When the file was last written here.'),
    localHash: z.string().optional().describe('Git hash of the content here.'),
    ...remote,
    conflictDetectedAt: timestamp.optional().describe('When a synchronisation first found the conflict.'),
    missingAt: timestamp.optional().describe('When a synchronisation first found that the file is missing.'),
  })
  .meta({ id: 'SyncItem', description: 'A file that is or can be synchronised.' });
export type SyncItem = z.output<typeof SyncItem>;

const count = z.int().min(0);

const SyncStatusCounts = z
  .object({
    synced: count.describe('As last synchronised.'),
    modified: count.describe('Changed here.'),
    untracked: count.describe('Here only.'),
    conflict: count.describe('Changed on both sides.'),
    missing: count.describe('Deleted here only.'),
  })
  .meta({ id: 'SyncStatusCounts', description: 'How many files have each status.' });

export const SyncStatusResponse = z
  .object({
    enabled: z.boolean().describe('Whether Git sync is on.'),
    repository: z.string().optional().describe('URL of the repository.'),
    branch: z.string().optional().describe('Its branch.'),
    summary: SyncSummary,
    lastSyncAt: timestamp.optional().describe('When files were last synchronised.'),
    lastSyncCommit: z.string().optional().describe('The newest known commit of the branch.'),
    lastSyncStatus: z.string().optional().describe('"success" or "error".'),
    lastError: z.string().optional().describe('Why the last synchronisation failed.'),
    incoming: count.describe('How many files the next pull changes, as far as is known.'),
    items: z.array(SyncItem).describe('By id.'),
    counts: SyncStatusCounts,
  })
  .meta({ id: 'SyncStatusResponse', description: 'Files compared with the repository as last fetched.' });
export type SyncStatusResponse = z.output<typeof SyncStatusResponse>;

const SyncError = z
  .object({ itemId: itemId.optional(), message: z.string().describe('What went wrong, for people.') })
  .meta({ id: 'SyncError', description: 'What could not be synchronised.' });

export const SyncResultResponse = z
  .object({
    success: z.boolean().describe('Whether there are neither conflicts nor errors.'),
    message: z.string().optional().describe('The result in a sentence.'),
    synced: z.array(z.string()).optional().describe('Ids of what was pulled or published.'),
    modified: z.array(z.string()).optional().describe('Ids of what has changes that are not published.'),
    conflicts: z.array(z.string()).optional().describe('Ids of what was changed on both sides and left as it is.'),
    errors: z.array(SyncError).optional().describe('What could not be synchronised.'),
    timestamp: timestamp.describe('When it was done.'),
  })
  .meta({ id: 'SyncResultResponse', description: 'What a pull or publication did.' });
export type SyncResultResponse = z.output<typeof SyncResultResponse>;

export const SyncItemDiffResponse = z
  .object({
    itemId,
    filePath: z.string().describe('Path of the file below the path of the repository.'),
    status: SyncStatus,
    kind: SyncItemKind.optional(),
    baseContent: z.string().optional().describe('As last synchronised; missing where there was none.'),
    localContent: z.string().optional().describe('As it is here; missing where it is not.'),
    remoteContent: z.string().optional().describe('As it is in the repository; missing where it is not.'),
    ...remote,
  })
  .meta({ id: 'SyncItemDiffResponse', description: 'The three versions of a file.' });
export type SyncItemDiffResponse = z.output<typeof SyncItemDiffResponse>;

const message = z.string().max(5000).optional().describe('Message of the commit. Default: says what is changed.');
const force = z.boolean().default(false);
const id = z.string().min(1).max(600);

export const SyncPublishRequest = z
  .object({ message, force: force.describe('Whether a newer version in the repository is replaced.') })
  .meta({ id: 'SyncPublishRequest', description: 'How a file is published.' });

export const SyncPublishAllRequest = z
  .object({
    message,
    itemIds: z.array(id).max(10_000).optional().describe('What to publish. Default: all that is changed or untracked.'),
  })
  .meta({ id: 'SyncPublishAllRequest', description: 'What is published in one commit.' });

export const SyncDeleteRequest = z
  .object({ message, force: force.describe('Whether changes that are not synchronised are lost.') })
  .meta({ id: 'SyncDeleteRequest', description: 'How a file is deleted.' });

export const SyncMoveRequest = z
  .object({
    newItemId: id.describe('The new path without extension, of the same kind.'),
    message,
    force: force.describe('Whether a newer version in the repository is replaced.'),
  })
  .meta({ id: 'SyncMoveRequest', description: 'The new name of a file.' });

export const SyncDeleteMissingRequest = z
  .object({ message })
  .meta({ id: 'SyncDeleteMissingRequest', description: 'How missing files are deleted.' });

export const SyncDeleteBatchRequest = z
  .object({
    itemIds: z
      .array(id)
      .min(1)
      .max(10_000)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each file once')
      .describe('What to delete.'),
    message,
    force: force.describe('Whether changes that are not synchronised are lost.'),
  })
  .meta({ id: 'SyncDeleteBatchRequest', description: 'Files to delete in one commit.' });

export const SyncDeletedResponse = z
  .object({ deleted: z.array(z.string()).describe('Ids.'), message: z.string().describe('The result in a sentence.') })
  .meta({ id: 'SyncDeletedResponse', description: 'What was deleted.' });

export const SyncForgottenResponse = z
  .object({
    forgotten: z.array(z.string()).describe('Ids.'),
    message: z.string().describe('The result in a sentence.'),
  })
  .meta({ id: 'SyncForgottenResponse', description: 'What was forgotten.' });

export const SyncConnectionTestResponse = z
  .object({
    success: z.boolean().describe('Whether the repository was reached.'),
    message: z.string().optional().describe('What was found.'),
    error: z.string().optional().describe('Why it was not reached.'),
  })
  .meta({ id: 'SyncConnectionTestResponse', description: 'The result of reaching the repository.' });

const authType = z.enum(['token', 'ssh']).describe('For http and https, or for ssh.');
const sshKeyPath = z.string().max(4096).optional().describe('File with a private key on the machine of the server.');
const authSecretRef = secretRef
  .optional()
  .describe('Name of a stored secret of all workspaces that is the token or the private key.');
const knownHosts = z
  .string()
  .max(65_536)
  .optional()
  .describe('Lines of known_hosts for the host of the repository. Default: those of the user of the server.');

const SyncAuthConfig = z
  .object({
    type: authType,
    sshKeyPath,
    secretRef: authSecretRef,
    knownHosts,
    hasToken: z.boolean().describe('Whether a token is stored or in the environment.'),
    hasSshKey: z.boolean().describe('Whether a private key is stored.'),
  })
  .meta({ id: 'SyncAuthConfig', description: 'How the repository is reached, without what is secret.' });

const credential = z.string().max(maxCredential).optional();

const SyncAuthUpdate = z
  .object({
    type: authType,
    token: credential.describe('The token. Kept when omitted, removed when empty; never returned.'),
    sshKey: credential.describe('The private key. Kept when omitted, removed when empty; never returned.'),
    sshPassphrase: credential.describe('Of the private key. Kept when omitted, removed when empty; never returned.'),
    sshKeyPath,
    secretRef: authSecretRef,
    knownHosts,
  })
  .meta({ id: 'SyncAuthUpdate', description: 'How the repository is reached.' });

const SyncAutoSyncConfig = z
  .object({
    enabled: z.boolean().describe('Whether schedulers pull by themselves.'),
    onStartup: z.boolean().describe('Whether they do when they start.'),
    interval: z.int().min(10).max(86_400).describe('Seconds between two pulls: 10 to 86400.'),
  })
  .meta({ id: 'SyncAutoSyncConfig', description: 'When the server pulls by itself.' });

const SyncCommitConfig = z
  .object({
    authorName: z.string().min(1).max(200).optional().describe('Name of the committer.'),
    authorEmail: z.string().min(1).max(200).optional().describe('E-mail address of the committer.'),
  })
  .meta({
    id: 'SyncCommitConfig',
    description: 'Who commits; the author of a commit is the person who publishes.',
  });

const fields = {
  enabled: z.boolean().describe('Whether Git sync is on.'),
  repository: z
    .string()
    .max(2000)
    .describe('URL by https, http, ssh or file, "user@host:path", or an absolute path; without a password.'),
  branch: z.string().min(1).max(200).describe('The branch. Default "main".'),
  path: z.string().max(500).describe('Folder of the repository that holds the files; empty for all of it.'),
  autoSync: SyncAutoSyncConfig,
  pushEnabled: z.boolean().describe('Whether changes may be published.'),
  commit: SyncCommitConfig,
};

export const SyncConfigResponse = z
  .object({
    ...fields,
    auth: SyncAuthConfig,
    hasWebhookSecret: z.boolean().describe('Whether push hooks of the repository make the server pull.'),
  })
  .meta({ id: 'SyncConfigResponse', description: 'The settings of Git sync, without what is secret.' });
export type SyncConfigResponse = z.output<typeof SyncConfigResponse>;

export const SyncConfigUpdateRequest = z
  .object({
    ...fields,
    auth: SyncAuthUpdate,
    webhookSecret: z
      .string()
      .max(1000)
      .refine((text) => text === '' || text.length >= 16, 'must have 16 characters or more')
      .describe('With which push hooks are signed. Kept when omitted, removed when empty; never returned.'),
  })
  .partial()
  .meta({ id: 'SyncConfigUpdateRequest', description: 'New settings; what is omitted stays as it is.' });
export type SyncConfigUpdateRequest = z.output<typeof SyncConfigUpdateRequest>;

export const SyncWebhookRequest = z
  .looseObject({})
  .meta({ id: 'SyncWebhookRequest', description: 'What the host of the repository says of a push; not read.' });
