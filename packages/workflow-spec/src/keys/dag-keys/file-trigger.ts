import { limits } from '../../model/limits';
import type { FileTrigger } from '../../model/trigger';
import { requireKeys } from '../../shapes/json-schema/json-schema';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { boolean, listShape, reportInvalid } from '../../shapes/shapes';
import { report } from '../../source/yaml/yaml-value';
import { timeSpan } from '../../values/schedule/time-span';

const defaultQuietSec = 10;

const fileGlob = shape<string>(
  (value) => {
    const text = readNonEmptyText(value);
    if (text === undefined || (text.length <= limits.fileGlobLength && !/\$\{|^~|\0|^\w+:\/\//.test(text))) return text;
    return reportInvalid(value, 'must be a path without references');
  },
  { type: 'string', minLength: 1, maxLength: limits.fileGlobLength },
);

const triggerKind = objectKind({
  title: 'trigger',
  keys: {
    files: keySpec('Glob of the files that start a run', fileGlob),
    quiet: keySpec('Time without changes; default: 10s', timeSpan),
    batch: keySpec('One run for all that are quiet', boolean),
  },
  rules: { allOf: [requireKeys('files')] },
});

const trigger = objectShape(triggerKind, ({ files, quiet, batch }, value): FileTrigger | undefined => {
  if (!files) report(value, 'missing_key', 'files is required');
  if (files?.value === undefined) return undefined;
  return { files: files.value, quietSec: quiet?.value ?? defaultQuietSec, batch: batch?.value ?? false };
});

export const triggers = listShape(trigger, { limit: limits.triggers, code: 'invalid_value', what: 'triggers' });
