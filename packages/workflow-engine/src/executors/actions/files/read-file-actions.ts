import type { JsonValue } from '@weir/workflow-spec';
import { actionFailed } from '../action-errors';
import { actionPath } from '../action-paths';
import { defineExecutor } from '../define-executor';
import { naming } from './file-errors';
import { factsOf, statOf } from './file-facts';
import { readWhole } from './read-whole';

export const fileRead = defineExecutor(async ({ call, settings, log }) => {
  const path = actionPath(call, settings.required('path'));
  const isLinkFollowed = settings.flag('follow_symlinks');
  if (settings.flag('missing_ok') && !(await naming('path', () => statOf(path, isLinkFollowed)))) return undefined;
  // What was asked for by hand may be more than an output, but never more than is good for this process.
  const maxBytes = Math.min(settings.number('max_bytes') ?? call.maxOutputBytes, maxReadBytes);
  const content = await readWhole(path, { setting: 'path', maxBytes, isLinkFollowed });
  if (settings.text('format') === 'json') log.line(JSON.stringify(parsed(content)));
  else log.out(content);
  return undefined;
});

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
  const stats = await naming('path', () => statOf(path, settings.flag('follow_symlinks')));
  if (!stats && !settings.flag('missing_ok')) throw actionFailed('path was not found (ENOENT).');
  const facts = { path, exists: stats !== undefined, ...(stats ? factsOf(stats) : {}) };
  if (settings.text('format') === 'json') log.line(JSON.stringify(facts));
  else for (const [name, value] of Object.entries(facts)) log.line(`${name}: ${value}`);
  return undefined;
});
