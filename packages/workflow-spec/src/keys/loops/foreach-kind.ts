import type { Collected } from '../../model/step';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import type { JsonSchema, SchemaBook } from '../../shapes/json-schema/json-schema';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readNonEmptyText, reportWrongKind } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { nonEmptyText, reportInvalid, rawShape } from '../../shapes/shapes';
import { limitEntries } from '../../shapes/limit-entries';
import { getEntries, getKind, type YamlEntry } from '../../source/yaml/yaml-value';
import { concurrent, foreachItems } from './items';

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

const itemName = shape(
  (value) => {
    const name = readNonEmptyText(value);
    if (name === undefined || namePattern.test(name)) return name;
    return reportInvalid(value, 'must be a name of letters, digits and underscores, not beginning with a digit');
  },
  { type: ['string', 'boolean'], pattern: namePattern.source },
);

/** Maps the name of a collected value to the reference that yields it. */
const collect = shape<readonly Collected[]>(
  (value) => {
    if (getKind(value) !== 'map') return reportWrongKind(value, 'a map from name to reference');
    const bound = { limit: limits.collected, code: 'invalid_value', what: 'collect' } as const;
    return limitEntries(getEntries(value), value, bound).flatMap(readCollected);
  },
  {
    type: 'object',
    propertyNames: { pattern: namePattern.source },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    maxProperties: limits.collected,
  },
);

function readCollected({ key, location, value }: YamlEntry): readonly Collected[] {
  if (!namePattern.test(key)) {
    const message = `field 'collect': the name ${quote(key)} must have letters, digits and underscores only`;
    value.context.report.add('invalid_value', location, message);
    return [];
  }
  const text = readNonEmptyText(value);
  return text === undefined ? [] : [{ name: key, value: text }];
}

export const foreachKind = objectKind({
  title: 'foreach',
  keys: {
    items: keySpec('The items: a list, or a string with a JSON array', foreachItems, { required: true }),
    as: keySpec('Name of the item in the body; item by default', itemName),
    key: keySpec('A stable key of the item', nonEmptyText),
    max_concurrent: keySpec('Iterations at the same time; that of defaults, or 10, when missing', concurrent),
    // The steps are read later, with what is known about the DAG.
    steps: keySpec(
      'The body',
      rawShape((book) => book.forwardRef('Steps')),
      { required: true },
    ),
    collect: keySpec('Values of each iteration: name to reference', collect),
  },
});

export function foreachSchema(book: SchemaBook): JsonSchema {
  return book.refer('Foreach', () => objectSchema(foreachKind, book));
}
