import { inlineJsonSchema } from '../../values/inline-schema/inline-json-schema';
import { limits } from '../../model/limits';
import type { JsonSchema, SchemaBook } from '../../shapes/json-schema/json-schema';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { nonEmptyText, text, rawShape } from '../../shapes/shapes';

const keys = {
  description: keySpec('What the action does', text),
  input_schema: keySpec('JSON Schema of its input', inlineJsonSchema),
  output_schema: keySpec('JSON Schema of the output of its step', inlineJsonSchema),
} as const;

function template(schema: JsonSchema) {
  const description = 'The step: run or action, and other keys of a step, with placeholders for the input';
  return keySpec(description, rawShape(schema), { required: true });
}

export const actionKind = objectKind({
  title: 'custom action',
  keys: { ...keys, template: template({ type: 'object', minProperties: 1 }) },
});

/** The deprecated form, with the type of the step outside the template. */
export const stepTypeKind = objectKind({
  title: 'custom step type',
  keys: {
    type: keySpec('The step type that the template completes', nonEmptyText, { required: true }),
    ...keys,
    template: template({ type: 'object' }),
  },
});

export const customActionName = /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z][A-Za-z0-9_-]*)*$/;

export function actionsSchema(book: SchemaBook): JsonSchema {
  return mapSchema(book.refer('CustomAction', () => objectSchema(actionKind, book)));
}

export function stepTypesSchema(book: SchemaBook): JsonSchema {
  return mapSchema(book.refer('CustomStepType', () => objectSchema(stepTypeKind, book)));
}

function mapSchema(definition: JsonSchema): JsonSchema {
  return {
    type: 'object',
    propertyNames: { pattern: customActionName.source },
    additionalProperties: definition,
    maxProperties: limits.customActions,
  };
}
