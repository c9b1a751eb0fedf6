import type { Secret } from '@weir/service-kit';
import { z } from 'zod';

const text = z.string().optional();

/** The stored settings for comparing files with a repository. */
export const StoredSettings = z.object({
  enabled: z.boolean(),
  repository: z.string(),
  branch: z.string(),
  /** The folder in the repository; empty for the whole repository. */
  path: z.string(),
  auth: z.object({
    type: z.enum(['token', 'ssh']),
    sshKeyPath: text,
    secretRef: text,
    knownHosts: text,
  }),
  autoSync: z.object({
    enabled: z.boolean(),
    onStartup: z.boolean(),
    /** The interval in seconds. */
    interval: z.number(),
  }),
  pushEnabled: z.boolean(),
  commit: z.object({ authorName: z.string(), authorEmail: z.string() }),
});
export type SyncSettings = z.output<typeof StoredSettings>;

/** The secrets among the settings. */
export interface SyncSecrets {
  readonly token?: string | undefined;
  readonly sshKey?: string | undefined;
  readonly sshPassphrase?: string | undefined;
  readonly webhookSecret?: string | undefined;
}

/** Settings of the environment, which count until others are stored. */
export interface SyncDefaults {
  readonly settings: SyncSettings;
  readonly token: Secret | undefined;
  readonly sshPassphrase: Secret | undefined;
}

/** Explains to people why the settings cannot be used. */
export function settingsProblem({ enabled, repository, branch, path, auth }: SyncSettings): string | undefined {
  if (repository === '') return enabled ? 'Git sync needs a repository.' : undefined;
  if (!isRepository(repository)) {
    return 'The repository must be a URL of https, http, ssh or file, "user@host:path" or an absolute path.';
  }
  if (hasPassword(repository)) return 'The repository contains a password. Use the token.';
  if (auth.type === 'token' && /^ssh:|^[^/]+@/.test(repository)) return 'A repository over ssh needs the type "ssh".';
  if (auth.type === 'ssh' && /^https?:/i.test(repository)) return 'A repository over http needs the type "token".';
  if (!isBranch(branch)) return 'The branch is not a valid name.';
  if (path !== '' && !path.split('/').every(isSegment)) {
    return 'The path must be names of folders joined by "/", none of them ".", ".." or ".git".';
  }
  return undefined;
}

const forms = [
  /^https?:\/\/[^\s/][^\s]*$/i,
  /^ssh:\/\/[^\s-][^\s]*$/i,
  /^file:\/\/\/[^\s]*$/i,
  /^\/[^\0\n\r]*$/,
  /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][\w.-]*:[^\s-][^\s]*$/,
];

function isRepository(repository: string): boolean {
  return forms.some((form) => form.test(repository)) && (!/^https?:/i.test(repository) || URL.canParse(repository));
}

function hasPassword(repository: string): boolean {
  return /^[a-z]+:\/\/[^/?#@]*:[^/?#@]*@/i.test(repository);
}

/** The check is stricter than git: it refuses names that git, a shell or a URL would read in another way. */
function isBranch(branch: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(branch) && !/\.\.|\/\/|\/\.|[/.]$|\.lock(?:\/|$)/.test(branch);
}

function isSegment(name: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_. -]*$/.test(name) && !/^(?:\.{1,2}|\.git)$/i.test(name);
}
