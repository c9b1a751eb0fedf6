import { keySpec } from '../../shapes/object-kind';
import { defineAction } from './define-action';
import { checkContent, content } from './settings/content-setting';
import { artifactPath, fileMode, flag, whole, word } from '../../shapes/settings/setting-shapes';
import { nonEmptyText } from '../../shapes/shapes';

const path = keySpec('Path of the artifact, relative to the artifacts folder of the run', artifactPath, {
  required: true,
});
const format = keySpec('raw (default) or json', word('raw', 'json'));

/** Files that stay with the run. */
export const artifactActions = [
  defineAction('artifact.write', {
    description: 'Writes an artifact',
    execution: 'in-process',
    restart: false,
    keys: {
      path,
      content,
      mode: keySpec('Permissions in octal digits', fileMode),
      format,
      overwrite: keySpec('Replace an existing file', flag),
      atomic: keySpec('Write to a temporary file first, then rename it', flag),
    },
    check: checkContent,
  }),
  defineAction('artifact.read', {
    description: 'Reads an artifact',
    execution: 'in-process',
    restart: true,
    keys: { path, format, max_bytes: keySpec('Maximum number of bytes to read', whole(1)) },
  }),
  defineAction('artifact.list', {
    description: 'Lists artifacts',
    execution: 'in-process',
    restart: true,
    keys: {
      path: keySpec('Folder within the artifacts; all artifacts by default', artifactPath),
      pattern: keySpec('Only names that match this pattern', nonEmptyText),
      recursive: keySpec('Include the contents of folders', flag),
      format,
    },
  }),
] as const;
