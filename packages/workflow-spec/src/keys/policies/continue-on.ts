import type { ContinueOn } from '../../model/policies';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { namedShape, shape } from '../../shapes/shape';
import { boolean, either, oneOrMany } from '../../shapes/shapes';
import { didYouMean } from '../../source/text/suggest';
import { getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';
import { failureCodes } from './exit-codes';
import { expectedText } from './expected-text';
import { reportField, reportWithoutEffect } from './policy-findings';

const patterns = { limit: limits.outputPatterns, code: 'invalid_value', what: 'output' } as const;

const continueOnKind = objectKind({
  title: 'continue_on',
  keys: {
    failure: keySpec('Continue after a failure', boolean, { aliases: ['failed'] }),
    skipped: keySpec('Continue when the step was skipped', boolean),
    exit_code: keySpec('Continue after these exit codes', failureCodes),
    output: keySpec(
      'Continue when the output contains this string, or matches re: and a regular expression',
      oneOrMany(expectedText, patterns),
    ),
    mark_success: keySpec('Treat the step as succeeded', boolean),
  },
});

const none: ContinueOn = { failure: false, skipped: false, exitCodes: [], outputs: [], markSuccess: false };

const continueOnMap = objectShape(continueOnKind, (fields): ContinueOn => {
  const found: ContinueOn = {
    failure: fields.failure?.value ?? false,
    skipped: fields.skipped?.value ?? false,
    exitCodes: fields.exit_code?.value ?? [],
    outputs: fields.output?.value ?? [],
    markSuccess: fields.mark_success?.value ?? false,
  };
  const isReached = found.failure || found.skipped || found.exitCodes.length + found.outputs.length > 0;
  const isReadable = Object.values(fields).every((field) => field.value !== undefined);
  if (found.markSuccess && !isReached && isReadable && fields.mark_success) {
    reportWithoutEffect(fields.mark_success.source, 'no condition for continuing is given');
  }
  return found;
});

const words = { failed: { ...none, failure: true }, skipped: { ...none, skipped: true } } as const;

/** Common misspellings of the two keywords; the keys of the map differ from them. */
const meant = new Map([
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['skipped', 'skipped'],
  ['skip', 'skipped'],
]);

const continueOnWord = shape<ContinueOn>(
  (value) => {
    const word = getText(value) ?? '';
    if (word === 'failed' || word === 'skipped') return words[word];
    return reportOther(value, word);
  },
  { enum: Object.keys(words) },
);

export const continueOn = namedShape(
  'ContinueOn',
  either((value) => getKind(value) === 'map' || getKind(value) === 'broken', continueOnMap, continueOnWord),
);

function reportOther(value: YamlValue, word: string): undefined {
  const near = meant.get(value.context.suggest(word, meant.keys()) ?? '');
  const expected = "must be a string ('skipped' or 'failed') or an object";
  const isText = getKind(value) === 'text';
  const shown = word === '' ? '' : ` (value: ${quote(word)})`;
  const message = `${expected}${shown}${didYouMean(near)}`;
  const fix = near === undefined ? undefined : { title: `Write ${quote(near)}`, text: near };
  return reportField(value, isText ? 'invalid_value' : 'invalid_type', message, isText ? fix : undefined);
}
