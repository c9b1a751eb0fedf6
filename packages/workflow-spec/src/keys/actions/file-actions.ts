import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { checkContent, content } from './settings/content-setting';
import { fileMode, flag, whole, word } from '../../shapes/settings/setting-shapes';

const path = keySpec('The file or folder', nonEmptyText, { required: true });
const keys = {
  mode: keySpec('Permissions in octal digits', fileMode),
  format: keySpec('raw (default) or json', word('raw', 'json')),
  pattern: keySpec('Only names that match this pattern', nonEmptyText),
  overwrite: keySpec('Replace an existing file', flag),
  create_dirs: keySpec('Create missing parent folders', flag),
  atomic: keySpec('Write to a temporary file first, then rename it', flag),
  recursive: keySpec('Include the contents of folders', flag),
  missing_ok: keySpec('Do not fail if the path does not exist', flag),
  dry_run: keySpec('Only report what would be done', flag),
  include_dirs: keySpec('Include folders', flag),
  follow_symlinks: keySpec('Follow symbolic links', flag),
  max_bytes: keySpec('Maximum number of bytes to read', whole(1)),
} as const;

const transfer = {
  source: keySpec('Path to copy or move', nonEmptyText, { required: true }),
  destination: keySpec('New path', nonEmptyText, { required: true }),
  mode: keys.mode,
  overwrite: keys.overwrite,
  create_dirs: keys.create_dirs,
  atomic: keys.atomic,
  recursive: keys.recursive,
  missing_ok: keys.missing_ok,
  dry_run: keys.dry_run,
  follow_symlinks: keys.follow_symlinks,
} as const;

const { mode, format, pattern, overwrite, create_dirs, atomic, recursive } = keys;
const { missing_ok, dry_run, include_dirs, follow_symlinks, max_bytes } = keys;

export const fileActions = [
  defineAction('file.copy', {
    description: 'Copies a file or folder',
    execution: 'in-process',
    restart: false,
    keys: transfer,
  }),
  defineAction('file.move', {
    description: 'Moves a file or folder',
    execution: 'in-process',
    restart: false,
    keys: transfer,
  }),
  defineAction('file.delete', {
    description: 'Deletes a file or folder',
    execution: 'in-process',
    restart: false,
    keys: { path, pattern, recursive, missing_ok, dry_run },
  }),
  defineAction('file.list', {
    description: 'Lists a folder',
    execution: 'in-process',
    restart: false,
    keys: { path, pattern, recursive, include_dirs, follow_symlinks, missing_ok, format },
  }),
  defineAction('file.mkdir', {
    description: 'Creates a folder',
    execution: 'in-process',
    restart: false,
    keys: { path, mode, create_dirs, recursive, dry_run },
  }),
  defineAction('file.read', {
    description: 'Reads a file',
    execution: 'in-process',
    restart: false,
    keys: { path, format, max_bytes, missing_ok, follow_symlinks },
  }),
  defineAction('file.stat', {
    description: 'Reports the size, type and times of a file',
    execution: 'in-process',
    restart: false,
    keys: { path, format, missing_ok, follow_symlinks },
  }),
  defineAction('file.write', {
    description: 'Writes a file',
    execution: 'in-process',
    restart: false,
    keys: { path, content, mode, format, overwrite, create_dirs, atomic, dry_run },
    check: checkContent,
  }),
] as const;
