import { keySpec } from '../shapes/object-kind';
import { nonEmptyText } from '../shapes/shapes';
import { defineAction } from './define-action';
import { checkContent, content } from './settings/content-setting';
import { fileMode, flag, whole, word } from './settings/setting-shapes';

const path = keySpec('The file or folder', nonEmptyText, { required: true });
const keys = {
  mode: keySpec('Permissions in octal digits', fileMode),
  format: keySpec('raw (default) or json', word('raw', 'json')),
  pattern: keySpec('Only names that match this pattern', nonEmptyText),
  overwrite: keySpec('Replace what is there', flag),
  create_dirs: keySpec('Make the folders above it', flag),
  atomic: keySpec('Write beside it first, then put it in place', flag),
  recursive: keySpec('Folders with all they hold', flag),
  missing_ok: keySpec('Nothing there is no failure', flag),
  dry_run: keySpec('Only say what would be done', flag),
  include_dirs: keySpec('Folders too', flag),
  follow_symlinks: keySpec('Go where links lead', flag),
  max_bytes: keySpec('Most bytes to read', whole(1)),
} as const;

const transfer = {
  source: keySpec('What is taken', nonEmptyText, { required: true }),
  destination: keySpec('Where it goes', nonEmptyText, { required: true }),
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
    description: 'Makes a folder',
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
    description: 'Tells size, kind and times of a file',
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
