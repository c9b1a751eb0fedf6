import type { JsonObject } from '../../model/json';
import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { bastionKey, hostKeys } from './settings/ssh-settings';
import { fileMode, flag, whole, word } from '../../shapes/settings/setting-shapes';

const sftp = { execution: 'in-process', dagDefaults: 'ssh' } as const;

/** The keys of `ssh.run` besides its shell. */
const connection = { ...hostKeys, bastion: bastionKey } as const;
const overwrite = keySpec('Replace existing files; true by default', flag);
const recursive = keySpec('Include the contents of folders', flag);
const mode = keySpec('Permissions in octal digits', fileMode);
const isRepeatable = ({ overwrite: isOverwriting }: JsonObject): boolean => isOverwriting !== false;

export const sftpActions = [
  defineAction('sftp.upload', {
    description: 'Copies a file or folder to another host',
    ...sftp,
    restart: isRepeatable,
    keys: {
      source: keySpec('Path on this host', nonEmptyText, { required: true }),
      destination: keySpec('Path on the other host', nonEmptyText, { required: true }),
      recursive,
      overwrite,
      mode,
      ...connection,
    },
  }),
  defineAction('sftp.download', {
    description: 'Copies a file or folder from another host',
    ...sftp,
    restart: isRepeatable,
    keys: {
      source: keySpec('Path on the other host', nonEmptyText, { required: true }),
      destination: keySpec('Path on this host', nonEmptyText, { required: true }),
      recursive,
      overwrite,
      mode,
      max_bytes: keySpec('Maximum number of bytes; 10 GiB by default', whole(1)),
      ...connection,
    },
  }),
  defineAction('sftp.list', {
    description: 'Lists a folder on another host',
    ...sftp,
    restart: true,
    keys: {
      path: keySpec('The folder', nonEmptyText, { required: true }),
      pattern: keySpec('Only names that match this pattern', nonEmptyText),
      recursive,
      output_format: keySpec('raw (default) or json', word('raw', 'json')),
      ...connection,
    },
  }),
  defineAction('sftp.delete', {
    description: 'Deletes a file or folder on another host',
    ...sftp,
    restart: ({ missing_ok: isMissingFine }) => isMissingFine === true,
    keys: {
      path: keySpec('The file or folder', nonEmptyText, { required: true }),
      recursive,
      missing_ok: keySpec('Do not fail if the path does not exist', flag),
      ...connection,
    },
  }),
] as const;
