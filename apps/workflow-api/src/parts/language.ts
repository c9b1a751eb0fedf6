// The commands that describe DAG files and check them.
export { createInlineSpecReader } from '../commands/inline-spec-reader';
export { exampleText } from '../commands/print-example';
export { schemaText } from '../commands/print-schema';
export { validateFiles } from '../commands/validate';
