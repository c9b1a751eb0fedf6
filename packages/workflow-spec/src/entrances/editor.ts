/** What editors and forms need: JSON Schemas and hints. */

export { editorHints, supportedKeys, type CustomStepTypeHint, type KeyDescription } from '../dag/editor-hints';
export { boundedDagSchema } from '../dag/json-schema/bounded-dag-schema';
export { dagSchema } from '../dag/json-schema/dag-schema';
export { schemaAt } from '../dag/json-schema/schema-at';
export type { JsonSchema } from '../shapes/json-schema/json-schema';
export { jsonSchemaProblem } from '../shapes/json-schema/json-schema-problem';
export { paramsJsonSchema } from '../values/params/params-json-schema';
