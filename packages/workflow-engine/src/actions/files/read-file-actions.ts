import type { JsonValue } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionLog } from '../../host/logs/action-log';
import { actionPath } from '../../host/files/action-paths';
import type { ActionExecutor } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { toFileInfo, findStats } from '../../host/files/file-info';
import { readWhole } from './read-whole';

export const fileRead: ActionExecutor<'file.read'> = async ({ call, settings, log }) => {
  const path = actionPath(call, settings.path);
  const isLinkFollowed = settings.follow_symlinks === true;
  if (settings.missing_ok === true && !(await namingSetting('path', () => findStats(path, isLinkFollowed))))
    return undefined;
  await readFileContent(path, { settings, maxOutputBytes: call.maxOutputBytes, log });
  return undefined;
};

interface ReadContentOptions {
  readonly settings: Pick<SettingsFor<'file.read'>, 'format' | 'max_bytes' | 'follow_symlinks'>;
  readonly maxOutputBytes: number;
  readonly log: ActionLog;
}

/** Prints a file according to `format`, `max_bytes` and `follow_symlinks`. */
export async function readFileContent(path: string, options: ReadContentOptions): Promise<void> {
  const { settings, maxOutputBytes, log } = options;
  const isLinkFollowed = settings.follow_symlinks === true;
  // An explicit limit may exceed the output limit, but not what this process can hold in memory.
  const maxBytes = Math.min(settings.max_bytes ?? maxOutputBytes, maxReadBytes);
  const content = await readWhole(path, { setting: 'path', maxBytes, isLinkFollowed });
  if (settings.format === 'json') log.line(JSON.stringify(parseContent(content)));
  else log.out(content);
}

const maxReadBytes = 100 * 1024 * 1024;

function parseContent(content: Buffer): JsonValue {
  try {
    return JSON.parse(content.toString('utf8')) as JsonValue;
  } catch {
    // The error of the parser would quote a part of the file.
    throw actionFailed('path does not contain JSON.');
  }
}

export const fileStat: ActionExecutor<'file.stat'> = async ({ call, settings, log }) => {
  const path = actionPath(call, settings.path);
  const stats = await namingSetting('path', () => findStats(path, settings.follow_symlinks === true));
  if (!stats && settings.missing_ok !== true) throw actionFailed('path was not found (ENOENT).');
  const info = { path, exists: stats !== undefined, ...(stats ? toFileInfo(stats) : {}) };
  if (settings.format === 'json') log.line(JSON.stringify(info));
  else for (const [name, value] of Object.entries(info)) log.line(`${name}: ${value}`);
  return undefined;
};
