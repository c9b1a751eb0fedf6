import { AppError } from '@weir/foundation';
import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';
// The front door of the feature would load all of it with every command.
import { settingsProblem, type SyncDefaults } from './sync-settings';
import { duration, flag, type Folders } from './config-values';

const text = z.string().min(1);

/** Settings of Git sync that count until an admin stores others. */
export const gitSyncVariables = {
  WEIR_GIT_SYNC: {
    schema: flag.default(false),
    defaultText: '`false`',
    description:
      'Whether files of DAGs and documents are synchronised with a git repository. This and the other `WEIR_GIT_SYNC_` variables count until an admin stores settings.',
  },
  WEIR_GIT_SYNC_REPOSITORY: {
    schema: text.optional(),
    defaultText: 'none',
    description: 'URL of the repository by https, http, ssh or file, `user@host:path`, or an absolute path.',
  },
  WEIR_GIT_SYNC_BRANCH: { schema: text.default('main'), defaultText: '`main`', description: 'Its branch.' },
  WEIR_GIT_SYNC_PATH: {
    schema: z.string().default(''),
    defaultText: 'all of it',
    description: 'Folder of the repository that holds the files.',
  },
  WEIR_GIT_SYNC_PUSH: {
    schema: flag.default(true),
    defaultText: '`true`',
    description: 'Whether changes may be published.',
  },
  WEIR_GIT_SYNC_AUTH: {
    schema: z.enum(['token', 'ssh'], 'must be token or ssh').default('token'),
    defaultText: '`token`',
    description: 'How the repository is reached.',
  },
  WEIR_GIT_SYNC_TOKEN: { schema: text.optional(), defaultText: 'none', description: 'Token for http and https.' },
  WEIR_GIT_SYNC_SSH_KEY_FILE: {
    schema: text.optional(),
    defaultText: 'those of the user of the server',
    description: 'File with the private key for ssh.',
  },
  WEIR_GIT_SYNC_SSH_PASSPHRASE: {
    schema: text.optional(),
    defaultText: 'none',
    description: 'Passphrase of that key.',
  },
  WEIR_GIT_SYNC_AUTOMATIC: {
    schema: flag.default(false),
    defaultText: '`false`',
    description: 'Whether schedulers pull by themselves.',
  },
  WEIR_GIT_SYNC_ON_STARTUP: {
    schema: flag.default(true),
    defaultText: '`true`',
    description: 'Whether they do when they start.',
  },
  WEIR_GIT_SYNC_INTERVAL: {
    schema: duration.refine((seconds) => seconds >= 10 && seconds <= 86_400, 'must be 10s to 1d').default(300),
    defaultText: '`5m`',
    description: 'Time between two pulls: 10s to 1d.',
  },
  WEIR_GIT_SYNC_AUTHOR_NAME: {
    schema: text.default('Weir'),
    defaultText: '`Weir`',
    description: 'Name of the committer; the author of a commit is the person who publishes.',
  },
  WEIR_GIT_SYNC_AUTHOR_EMAIL: {
    schema: text.default('weir@localhost'),
    defaultText: '`weir@localhost`',
    description: 'E-mail address of the committer.',
  },
} as const satisfies Variables;

export interface GitSyncConfig {
  readonly gitSync: { readonly gitSyncDefaults: SyncDefaults };
}

/** Throws `invalid_request` for settings that do not go together. */
export function readGitSyncConfig(
  values: VariableValues<typeof gitSyncVariables>,
  { absolute }: Folders,
): GitSyncConfig {
  const { WEIR_GIT_SYNC_SSH_KEY_FILE: keyFile } = values;
  const settings = {
    enabled: values.WEIR_GIT_SYNC,
    repository: values.WEIR_GIT_SYNC_REPOSITORY ?? '',
    branch: values.WEIR_GIT_SYNC_BRANCH,
    path: values.WEIR_GIT_SYNC_PATH,
    auth: {
      type: values.WEIR_GIT_SYNC_AUTH,
      ...(keyFile === undefined ? {} : { sshKeyPath: absolute(keyFile) }),
    },
    autoSync: {
      enabled: values.WEIR_GIT_SYNC_AUTOMATIC,
      onStartup: values.WEIR_GIT_SYNC_ON_STARTUP,
      interval: values.WEIR_GIT_SYNC_INTERVAL,
    },
    pushEnabled: values.WEIR_GIT_SYNC_PUSH,
    commit: { authorName: values.WEIR_GIT_SYNC_AUTHOR_NAME, authorEmail: values.WEIR_GIT_SYNC_AUTHOR_EMAIL },
  };
  const problem = settingsProblem(settings);
  if (problem !== undefined) throw new AppError('invalid_request', `The variables of Git sync: ${problem}`);
  const token = hidden(values.WEIR_GIT_SYNC_TOKEN);
  const sshPassphrase = hidden(values.WEIR_GIT_SYNC_SSH_PASSPHRASE);
  return { gitSync: { gitSyncDefaults: { settings, token, sshPassphrase } } };
}

function hidden(secret: string | undefined): Secret | undefined {
  return secret === undefined ? undefined : new Secret(secret);
}
