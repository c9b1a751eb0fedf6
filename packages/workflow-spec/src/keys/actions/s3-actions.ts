import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText, text } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { exactlyOne } from '../../shapes/settings/key-choice';
import { s3Keys } from './settings/s3-settings';
import { flag, textMap, whole, word } from '../../shapes/settings/setting-shapes';

// Executing any of these actions again leaves the same result.
const s3 = { execution: 'in-process', restart: true, dagDefaults: 's3' } as const;

const key = keySpec('Key of the object', nonEmptyText, { required: true });

export const s3Actions = [
  defineAction('s3.upload', {
    description: 'Stores a file as an object',
    ...s3,
    keys: {
      key,
      source: keySpec('The file', nonEmptyText, { required: true }),
      content_type: keySpec('Media type of the object', nonEmptyText),
      cache_control: keySpec('How long others may keep it', nonEmptyText),
      metadata: keySpec('Metadata of the object', textMap('metadata')),
      storage_class: keySpec('Storage class', nonEmptyText),
      server_side_encryption: keySpec('Encryption by the store', word('AES256', 'aws:kms')),
      part_size: keySpec('Size of the parts in MB; 10 by default', whole(5, 5_000)),
      concurrency: keySpec('Parts that are transferred at once; 5 by default', whole(1, 100)),
      ...s3Keys,
    },
  }),
  defineAction('s3.download', {
    description: 'Writes an object to a file',
    ...s3,
    keys: {
      key,
      destination: keySpec('The file', nonEmptyText, { required: true }),
      max_bytes: keySpec('Maximum size of the object; 10 GiB by default', whole(1)),
      ...s3Keys,
    },
  }),
  defineAction('s3.list', {
    description: 'Lists objects',
    ...s3,
    keys: {
      prefix: keySpec('Begin of the keys', text),
      delimiter: keySpec('Groups keys up to this text', nonEmptyText),
      max_keys: keySpec('Maximum number of objects; 1000 by default', whole(1, 100_000)),
      output_format: keySpec('jsonl (default), json or raw', word('jsonl', 'json', 'raw')),
      ...s3Keys,
    },
  }),
  defineAction('s3.delete', {
    description: 'Deletes objects',
    ...s3,
    keys: {
      key: keySpec('Key of the object', nonEmptyText),
      prefix: keySpec('Begin of the keys of all objects to delete', nonEmptyText),
      dry_run: keySpec('Only report what would be done', flag),
      ...s3Keys,
    },
    choices: [exactlyOne('key', 'prefix')],
  }),
] as const;
