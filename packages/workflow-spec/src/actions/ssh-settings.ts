import { keySpec } from '../read/object-kind';
import { filledText, text } from '../read/shapes';
import { shell } from '../values/shell';
import { duration } from './duration-setting';
import { flag, port } from './setting-shapes';
import { settingsShape } from './settings-shape';

const hostKeys = {
  user: keySpec('User name', filledText),
  host: keySpec('Name or address of the host', filledText, { aliases: ['ip'] }),
  port: keySpec('Port; 22 by default', port),
  key: keySpec('File of the private key', filledText),
  password: keySpec('Password', text),
  strict_host_key: keySpec('Refuse a host that is not known; true by default', flag),
  known_host_file: keySpec('File of the known hosts', filledText),
  timeout: keySpec('Time for the connection', duration),
} as const;

const bastion = settingsShape({ title: 'bastion', keys: hostKeys });

/** How a host is reached; the same keys as defaults of a DAG and in a step. */
export const sshKeys = {
  ...hostKeys,
  shell: keySpec('Shell on the host, with its arguments', shell),
  bastion: keySpec('A host in between', bastion),
} as const;

/** The `ssh` of a DAG. */
export const sshDefaults = settingsShape({ title: 'ssh', keys: sshKeys });
