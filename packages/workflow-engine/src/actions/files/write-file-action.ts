import type { JsonValue } from '@weir/workflow-spec';
import { actionFailed } from '../action-errors';
import { actionPath } from '../action-paths';
import type { ActionSettings } from '../action-settings';
import { defineExecutor } from '../define-executor';
import { namingSetting } from './file-errors';
import { findStats } from './file-info';
import { makeFoldersAbove, writeWhole, toWriteOptions } from './write-whole';

export const fileWrite = defineExecutor(async ({ call, settings, log }) => {
  const path = actionPath(call, settings.required('path'));
  const content = formatContent(settings);
  const options = toWriteOptions(settings);
  await namingSetting('path', async () => {
    if (settings.flag('dry_run')) {
      if (!options.isOverwriting && (await findStats(path, false)))
        throw actionFailed('path is there already (EEXIST).');
      log.line(`would write ${Buffer.byteLength(content)} bytes to ${path}`);
      return;
    }
    await makeFoldersAbove(path, settings);
    await writeWhole(path, content, options);
    log.line(`wrote ${Buffer.byteLength(content)} bytes to ${path}`);
  });
  return undefined;
});

/** A text as it is; with `format: json` any value as JSON, and a text that is JSON already as what it says. */
export function formatContent(settings: ActionSettings): string {
  const content = settings.value('content') ?? null;
  if (settings.text('format') === 'json') return `${JSON.stringify(toJsonValue(content), null, 2)}\n`;
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
