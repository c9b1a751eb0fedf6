import { keySpec } from '../../../shapes/object-kind';
import { nonEmptyText, text } from '../../../shapes/shapes';
import { shell } from '../../../values/execution/shell';
import { duration } from '../../../shapes/settings/duration-setting';
import { flag, port } from '../../../shapes/settings/setting-shapes';
import { settingsShape } from '../../../shapes/settings/settings-shape';

/** Keys for the connection to one host. */
export const hostKeys = {
  user: keySpec('User name', nonEmptyText),
  host: keySpec('Host name or address', nonEmptyText, { aliases: ['ip'] }),
  port: keySpec('Port; 22 by default', port),
  key: keySpec('Path of the private key file', nonEmptyText),
  password: keySpec('Password', text),
  strict_host_key: keySpec('Refuse unknown hosts; true by default', flag),
  known_host_file: keySpec('Path of the known hosts file', nonEmptyText),
  timeout: keySpec('Timeout of the connection', duration),
} as const;

const bastion = settingsShape({ title: 'bastion', keys: hostKeys });

export const bastionKey = keySpec('Intermediate host', bastion);

/** Keys for the connection to a host; they are defaults in a DAG and settings in a step. */
export const sshKeys = {
  ...hostKeys,
  shell: keySpec('Shell on the host, with its arguments', shell),
  bastion: bastionKey,
} as const;

/** The shape of the `ssh` of a DAG. */
export const sshDefaults = settingsShape({ title: 'ssh', keys: sshKeys });
