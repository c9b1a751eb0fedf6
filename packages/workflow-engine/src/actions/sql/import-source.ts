import { extname } from 'node:path';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import type { ImportSource } from './import-rows';

type Settings = SettingsFor<'postgres.import' | 'sqlite.import'>;

/** Returns the rows to import and their file. Throws for a file that cannot be read. */
export async function importSource(call: ActionCall, settings: Settings): Promise<ImportSource> {
  const file = actionPath(call, settings.input_file);
  const stats = await namingSetting('input_file', () => findStats(file, true));
  if (stats === undefined) throw actionFailed('input_file was not found (ENOENT).');
  if (!stats.isFile()) throw actionFailed('input_file is not a regular file.');
  return {
    file,
    format: settings.format ?? formatOf(file),
    hasHeader: settings.has_header ?? true,
    delimiter: settings.delimiter,
    columns: settings.columns,
    skipRows: settings.skip_rows ?? 0,
    maxRows: settings.max_rows === 0 ? undefined : settings.max_rows,
  };
}

const endings: Readonly<Record<string, ImportSource['format']>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

function formatOf(file: string): ImportSource['format'] {
  const format = endings[extname(file).toLowerCase()];
  if (format === undefined)
    throw actionFailed('The name of input_file does not show the format, so format is required.');
  return format;
}
