import type { Collected } from '../canonical/work';
import { limits } from '../limits';
import { quote } from '../quote';
import type { JsonSchema, SchemaBook } from '../read/json-schema';
import { keySpec, objectKind, objectSchema } from '../read/object-kind';
import { readFilledText, wrongKind } from '../read/readers';
import { shape } from '../read/shape';
import { filledText, invalid, unread } from '../read/shapes';
import { stepsSchema } from '../steps/steps-schema';
import { atMost } from '../read/at-most';
import { entriesOf, kindOf, type YamlEntry } from '../yaml/yaml-value';
import { concurrent, foreachItems } from './items';

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

const itemName = shape(
  (value) => {
    const name = readFilledText(value);
    if (name === undefined || namePattern.test(name)) return name;
    return invalid(value, 'must be a name of letters, digits and underscores, not beginning with a digit');
  },
  { type: ['string', 'boolean'], pattern: namePattern.source },
);

/** From the name of a collected value to the reference that gives it. */
const collect = shape<readonly Collected[]>(
  (value) => {
    if (kindOf(value) !== 'map') return wrongKind(value, 'a map from name to reference');
    const bound = { limit: limits.collected, code: 'invalid_value', what: 'collect' } as const;
    return atMost(entriesOf(value), value, bound).flatMap(readCollected);
  },
  {
    type: 'object',
    propertyNames: { pattern: namePattern.source },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    maxProperties: limits.collected,
  },
);

function readCollected({ key, spot, value }: YamlEntry): readonly Collected[] {
  if (!namePattern.test(key)) {
    const message = `field 'collect': the name ${quote(key)} must have letters, digits and underscores only`;
    value.context.report.add('invalid_value', spot, message);
    return [];
  }
  const text = readFilledText(value);
  return text === undefined ? [] : [{ name: key, value: text }];
}

export const foreachKind = objectKind({
  title: 'foreach',
  keys: {
    items: keySpec('The items: a list, or a text with a JSON array', foreachItems, { required: true }),
    as: keySpec('Name of the item in the body; item by default', itemName),
    key: keySpec('A stable key of the item', filledText),
    max_concurrent: keySpec('Turns at the same time; 10 by default', concurrent),
    // Read last: the body is read with what is known of the DAG.
    steps: keySpec(
      'The body',
      unread((book) => stepsSchema(book)),
      { required: true },
    ),
    collect: keySpec('Values taken from each turn: name to reference', collect),
  },
});

export function foreachSchema(book: SchemaBook): JsonSchema {
  return book.refer('Foreach', () => objectSchema(foreachKind, book));
}
