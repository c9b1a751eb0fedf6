import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { prepareGitAccess, webOrigin } from './git-access';
import type { GitOptions } from './git-session';

type RemoteSettings = Pick<
  SettingsFor<'git.clone'>,
  'token' | 'username' | 'password' | 'ssh_key_path' | 'ssh_passphrase' | 'strict_host_key' | 'known_host_file'
>;

/** Returns the options with which git reaches the remote at `url` with the credentials of a step. */
export async function remoteOptions(
  call: ActionCall,
  settings: RemoteSettings,
  { url, privateFolder }: { readonly url: string; readonly privateFolder: string },
): Promise<GitOptions> {
  const isWeb = /^https?:\/\//i.test(url);
  if (isWeb && webOrigin(url) === undefined) throw actionFailed('The URL of the repository is not valid.');
  const secret = settings.token ?? settings.password;
  if (secret !== undefined && !isWeb) {
    throw actionFailed('token and password are for repositories with an http or https URL. Use ssh_key_path.');
  }
  const { ssh_key_path: key, known_host_file: known, username, ssh_passphrase: sshPassphrase } = settings;
  return prepareGitAccess({
    url,
    privateFolder,
    secret,
    username,
    sshPassphrase,
    sshKeyFile: key === undefined ? undefined : actionPath(call, key),
    knownHostsFile: known === undefined ? undefined : actionPath(call, known),
    isHostChecked: settings.strict_host_key !== false,
  });
}
