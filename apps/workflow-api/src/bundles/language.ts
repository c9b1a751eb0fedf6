// The commands that describe DAG files and check them.
export { createInlineSpecReader } from '../commands/shared/inline-spec-reader';
export { convertCron } from '../commands/language/convert-cron';
export { convertFiles } from '../commands/language/convert-files';
export { exampleText } from '../commands/language/print-example';
export { commandPackages, lockFiles } from '../commands/language/lock-actions';
export { schemaText } from '../commands/language/print-schema';
export { validateFiles } from '../commands/language/validate';
