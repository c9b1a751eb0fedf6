import type { JsonValue } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import type { ActionExecutor } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import { makeFoldersAbove, writeWhole, toWriteOptions } from './write-whole';

export const fileWrite: ActionExecutor<'file.write'> = async ({ call, settings, log }) => {
  const path = actionPath(call, settings.path);
  const content = formatContent(settings);
  const options = toWriteOptions(settings);
  await namingSetting('path', async () => {
    if (settings.dry_run === true) {
      if (!options.isOverwriting && (await findStats(path, false))) throw actionFailed('path already exists (EEXIST).');
      log.line(`would write ${Buffer.byteLength(content)} bytes to ${path}`);
      return;
    }
    await makeFoldersAbove(path, settings);
    await writeWhole(path, content, options);
    log.line(`wrote ${Buffer.byteLength(content)} bytes to ${path}`);
  });
  return undefined;
};

/**
 * A string is not changed. With `format: json`, any value becomes JSON, and a string that already is JSON is parsed
 * first.
 */
export function formatContent({ content, format }: Pick<SettingsFor<'file.write'>, 'content' | 'format'>): string {
  if (format === 'json') return `${JSON.stringify(toJsonValue(content), null, 2)}\n`;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function toJsonValue(content: JsonValue): JsonValue {
  if (typeof content !== 'string') return content;
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return content;
  }
}
