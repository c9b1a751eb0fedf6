import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitEnvironment, prepareGitAccess } from '@weir/workflow-engine';
import { createMirror, type Mirror } from './mirror';
import type { SyncSecrets, SyncSettings } from '../../config/sync-settings';

export interface OpenMirrorPorts {
  readonly dataFolder: string;
  /** The server's own environment, in which git finds its user. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
}

/** Git reads no configuration of the user where it only works on fetched data. */
const withoutUser = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };
const leftoverMs = 3_600_000;
const accessPrefix = 'access-';

/** Lets work use the repository of the settings. The files with its credentials are removed afterwards. */
export async function withMirror<T>(
  { dataFolder, hostEnvironment }: OpenMirrorPorts,
  {
    settings,
    secrets,
    signal,
  }: { readonly settings: SyncSettings; readonly secrets: SyncSecrets; readonly signal: AbortSignal },
  work: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  const folder = path.join(dataFolder, 'git-sync');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder);
  const privateFolder = await mkdtemp(path.join(folder, accessPrefix));
  try {
    const access = await prepareAccess(settings, secrets, privateFolder);
    const env = gitEnvironment(passedOn(hostEnvironment));
    const { repository: url, branch } = settings;
    const mirror = createMirror({
      url,
      branch,
      signal,
      folder: path.join(folder, `${nameOf(url)}.git`),
      prefix: settings.path === '' ? '' : `${settings.path}/`,
      localEnv: { ...env, ...withoutUser },
      remoteEnv: { ...env, ...access.env },
      remoteConfig: access.config ?? [],
      hidden: [secrets.token, secrets.sshPassphrase].flatMap((each) => each ?? []),
    });
    return await work(mirror);
  } finally {
    await rm(privateFolder, { recursive: true, force: true });
  }
}

async function prepareAccess(
  { repository: url, auth }: SyncSettings,
  { token, sshKey, sshPassphrase }: SyncSecrets,
  privateFolder: string,
) {
  const write = async (name: string, text: string): Promise<string> => {
    const file = path.join(privateFolder, name);
    await writeFile(file, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 });
    return file;
  };
  const sshKeyFile = sshKey === undefined ? auth.sshKeyPath : await write('key', sshKey.replaceAll('\r\n', '\n'));
  return prepareGitAccess({
    url,
    privateFolder,
    ...(auth.type === 'token' ? { secret: token } : { sshKeyFile, sshPassphrase }),
    knownHostsFile: auth.knownHosts === undefined ? undefined : await write('known_hosts', auth.knownHosts),
  });
}

/** Removes the files of credentials that a killed process could not remove. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(accessPrefix)) continue;
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - leftoverMs) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

function nameOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 32);
}

function passedOn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !/^(?:WEIR|DAGU)_/.test(entry[0]),
    ),
  );
}
