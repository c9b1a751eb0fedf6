import type { JsonValue } from '@weir/workflow-spec';
import { actionFailed } from '../action-errors';
import type { ActionLog } from '../action-log';
import { actionPath } from '../action-paths';
import type { ActionSettings } from '../action-settings';
import { defineExecutor } from '../define-executor';
import { namingSetting } from './file-errors';
import { toFileInfo, findStats } from './file-info';
import { readWhole } from './read-whole';

export const fileRead = defineExecutor(async ({ call, settings, log }) => {
  const path = actionPath(call, settings.required('path'));
  const isLinkFollowed = settings.flag('follow_symlinks');
  if (settings.flag('missing_ok') && !(await namingSetting('path', () => findStats(path, isLinkFollowed))))
    return undefined;
  await readFileContent(path, { settings, maxOutputBytes: call.maxOutputBytes, log });
  return undefined;
});

interface ReadContentOptions {
  readonly settings: ActionSettings;
  readonly maxOutputBytes: number;
  readonly log: ActionLog;
}

/** Prints a file as `format`, `max_bytes` and `follow_symlinks` say. */
export async function readFileContent(path: string, options: ReadContentOptions): Promise<void> {
  const { settings, maxOutputBytes, log } = options;
  const isLinkFollowed = settings.flag('follow_symlinks');
  // What was asked for by hand may be more than an output, but never more than is good for this process.
  const maxBytes = Math.min(settings.number('max_bytes') ?? maxOutputBytes, maxReadBytes);
  const content = await readWhole(path, { setting: 'path', maxBytes, isLinkFollowed });
  if (settings.text('format') === 'json') log.line(JSON.stringify(parsed(content)));
  else log.out(content);
}

const maxReadBytes = 100 * 1024 * 1024;

function parsed(content: Buffer): JsonValue {
  try {
    return JSON.parse(content.toString('utf8')) as JsonValue;
  } catch {
    // The error of the parser would repeat a part of the file.
    throw actionFailed('path does not hold JSON.');
  }
}

export const fileStat = defineExecutor(async ({ call, settings, log }) => {
  const path = actionPath(call, settings.required('path'));
  const stats = await namingSetting('path', () => findStats(path, settings.flag('follow_symlinks')));
  if (!stats && !settings.flag('missing_ok')) throw actionFailed('path was not found (ENOENT).');
  const facts = { path, exists: stats !== undefined, ...(stats ? toFileInfo(stats) : {}) };
  if (settings.text('format') === 'json') log.line(JSON.stringify(facts));
  else for (const [name, value] of Object.entries(facts)) log.line(`${name}: ${value}`);
  return undefined;
});
