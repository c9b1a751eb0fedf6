import type { JsonObject } from '../../model/json';
import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText, text } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { flag, oneOrTexts, whole, word } from '../../shapes/settings/setting-shapes';

const format = keySpec('By default derived from the file name', word('zip', 'tar', 'tar.gz', 'tar.zst'));
const password = keySpec('Password; zip only', text);
const include = keySpec('Only paths that match one of these patterns', oneOrTexts('include'));
const exclude = keySpec('No paths that match one of these patterns', oneOrTexts('exclude'));
const overwrite = keySpec('Replace existing files', flag);
const dry_run = keySpec('Only report what would be done', flag);
const archive = keySpec('The archive', nonEmptyText, { required: true });

// Replacing files again gives the same files; without replacement, the second execution would find those of the first.
const isRepeatable = ({ overwrite: replaces, dry_run: isDry }: JsonObject): boolean =>
  replaces === true || isDry === true;

export const archiveActions = [
  defineAction('archive.create', {
    description: 'Packs a file or folder into an archive',
    execution: 'in-process',
    restart: isRepeatable,
    keys: {
      source: keySpec('File or folder to pack', nonEmptyText, { required: true }),
      destination: keySpec('The archive', nonEmptyText, { required: true }),
      format,
      compression_level: keySpec('From 0, none, to 9; 6 by default', whole(0, 9)),
      password,
      include,
      exclude,
      overwrite,
      create_dirs: keySpec('Create missing parent folders', flag),
      dry_run,
    },
  }),
  defineAction('archive.extract', {
    description: 'Unpacks an archive into a folder',
    execution: 'in-process',
    restart: isRepeatable,
    keys: {
      source: archive,
      destination: keySpec('Folder for the contents; created when missing', nonEmptyText, { required: true }),
      format,
      password,
      include,
      exclude,
      strip_components: keySpec('Number of leading folders to remove from paths', whole(0, 100)),
      overwrite,
      max_bytes: keySpec('Maximum size of the contents; 10 GiB by default', whole(1)),
      dry_run,
    },
  }),
  defineAction('archive.list', {
    description: 'Lists the contents of an archive',
    execution: 'in-process',
    restart: true,
    keys: {
      source: archive,
      format,
      include,
      exclude,
      output_format: keySpec('raw (default) or json', word('raw', 'json')),
    },
  }),
] as const;
