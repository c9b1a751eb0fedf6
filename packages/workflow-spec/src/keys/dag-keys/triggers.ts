import { limits } from '../../model/limits';
import type { Trigger } from '../../model/trigger';
import { requireKeys } from '../../shapes/json-schema/json-schema';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { boolean, listShape, reportInvalid } from '../../shapes/shapes';
import { report } from '../../source/yaml/yaml-value';
import { triggerStore } from '../actions/settings/s3-settings';
import { compileObjectGlob, isObjectGlob } from '../../source/text/object-glob';
import { timeSpan } from '../../values/schedule/time-span';

const defaultQuietSec = 10;

/** A text that is taken as it is written. */
const plain = (maxLength: number, excluded: RegExp, problem: string) =>
  shape<string>(
    (value) => {
      const text = readNonEmptyText(value);
      if (text === undefined || (text.length <= maxLength && !excluded.test(text))) return text;
      return reportInvalid(value, problem);
    },
    { type: 'string', minLength: 1, maxLength },
  );

const pathOrAddress = plain(
  limits.fileGlobLength,
  /\$\{|^~|\0|^(?!s3:)\w+:\/\//,
  'must be a path, or s3://BUCKET/KEYS, without references',
);
const fileGlob = shape<string>((value) => {
  const text = pathOrAddress.read(value);
  if (text === undefined || !isObjectGlob(text) || compileObjectGlob(text)) return text;
  return reportInvalid(value, 'must be s3://BUCKET/KEYS, with *, **, ?, […] and {a,b} in KEYS only');
}, pathOrAddress.schema);
const eventName = plain(limits.eventNameLength, /\$\{/, 'must be a short text without references');
const eventFilter = plain(limits.eventFilterLength, /\0/, 'must be a jq expression');

const triggerKind = objectKind({
  title: 'trigger',
  keys: {
    files: keySpec('Glob of the files that start a run; s3://BUCKET/KEYS for objects', fileGlob),
    quiet: keySpec('Time without changes; default: 10s', timeSpan),
    batch: keySpec('One run for all that are quiet', boolean),
    s3: keySpec('How the store of s3:// is reached; else as s3 of the DAG says', triggerStore),
    event: keySpec('Type of the CloudEvents that start a run; * for any characters', eventName),
    source: keySpec('Source of the events', eventName),
    filter: keySpec('jq expression; false and null leave an event out', eventFilter),
  },
  rules: { oneOf: [requireKeys('files'), requireKeys('event')] },
});

const trigger = objectShape(triggerKind, (fields, value): Trigger | undefined => {
  const { files, quiet, batch, s3, event, source, filter } = fields;
  if (!files === !event) report(value, 'missing_key', 'either files or event is required');
  const others = event ? { quiet, batch, s3 } : { source, filter };
  for (const [key, field] of Object.entries(others)) {
    if (field) report(value, 'invalid_value', `${key} is for ${event ? 'files' : 'events'} only`);
  }
  if (event?.value !== undefined) {
    return {
      event: event.value,
      ...(source?.value === undefined ? {} : { source: source.value }),
      ...(filter?.value === undefined ? {} : { filter: filter.value }),
    };
  }
  if (files?.value === undefined) return undefined;
  if (s3 && !isObjectGlob(files.value))
    report(s3.source, 'invalid_value', 's3 is for files that begin with s3:// only');
  return {
    files: files.value,
    quietSec: quiet?.value ?? defaultQuietSec,
    batch: batch?.value ?? false,
    ...(s3?.value === undefined ? {} : { s3: s3.value }),
  };
});

export const triggers = listShape(trigger, { limit: limits.triggers, code: 'invalid_value', what: 'triggers' });
