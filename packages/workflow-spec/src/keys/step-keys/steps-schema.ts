import { actionsSchema } from '../actions/action-catalogue';
import { requireKeys, type JsonSchema, type SchemaBook } from '../../shapes/json-schema/json-schema';
import { objectSchema } from '../../shapes/object-kind';
import { stepKind } from './step-kind';
import { humanTaskRule } from './human-task-rule';
import { deprecatedFormKeys } from './form-keys';
import { runSettingsKind } from './run-settings-kind';

const scalar = ['string', 'number', 'boolean'];

/** The name of a DAG or a reference to it, which a shell would read as one word. */
export const oneWord = '^\\s*[^\\s;&|<>()`\'"]+\\s*$';

/** Returns the schema of a list of steps, commands and parallel groups, or of a map from name to step. */
export function stepsSchema(book: SchemaBook): JsonSchema {
  return book.refer('Steps', () => {
    const one = { anyOf: [{ type: scalar }, stepSchema(book)] };
    return {
      anyOf: [
        { type: 'array', minItems: 1, items: { anyOf: [...one.anyOf, { type: 'array', items: one }] } },
        {
          type: 'object',
          minProperties: 1,
          additionalProperties: { anyOf: [...one.anyOf, { type: 'array', minItems: 1, items: { type: scalar } }] },
        },
      ],
    };
  });
}

export function stepSchema(book: SchemaBook): JsonSchema {
  return book.refer('Step', () => {
    const schema = objectSchema(stepKind, book);
    const allOf = (schema.allOf as readonly JsonSchema[] | undefined) ?? [];
    return { ...schema, allOf: [...allOf, ...formRules, humanTaskRule, runRule(book), ...actionsSchema(book)] };
  });
}

const forms = ['run', 'action', 'foreach'].map((key) => requireKeys(key));
const deprecatedForms = deprecatedFormKeys.map((key) => requireKeys(key));

/** In 1.x, `run` called a DAG with one word, with `params` or `parallel` as further keys. */
const dagByRun = { properties: { run: { type: 'string', pattern: oneWord } } };

/** A step has exactly one form. */
const formRules: readonly JsonSchema[] = [
  ...forms.flatMap((left, index) => forms.slice(index + 1).map((right) => ({ not: { allOf: [left, right] } }))),
  {
    not: {
      allOf: [
        { anyOf: forms },
        { anyOf: deprecatedForms.filter((_, index) => deprecatedFormKeys[index] !== 'params') },
      ],
    },
  },
  { not: { allOf: [{ anyOf: [requireKeys('action'), requireKeys('foreach')] }, requireKeys('params')] } },
  { not: { allOf: [requireKeys('foreach'), requireKeys('parallel')] } },
  { if: { allOf: [requireKeys('run'), { anyOf: [requireKeys('params'), requireKeys('parallel')] }] }, then: dagByRun },
];

function runRule(book: SchemaBook): JsonSchema {
  const settings = { anyOf: [book.refer('RunWith', () => objectSchema(runSettingsKind, book)), { type: 'null' }] };
  return { if: requireKeys('run'), then: { properties: { with: settings } } };
}
