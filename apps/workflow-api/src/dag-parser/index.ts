export { createInlineParser, createInlineParsers, type DagParser, type DagParsers } from './dag-parser';
export type { SpecOptions } from './parse-spec';
export { inheritedStepTypes, type BaseText } from './read-base';
export { isSpecTooCostly } from './parser-errors';
export { createPooledParser, type PooledParserOptions } from './pooled-parser';
export {
  createSpecReader,
  hidingUnread,
  unknownWorkspace,
  type CheckDag,
  type BaseSource,
  type ReadSpec,
  type SpecReader,
} from './spec-reader';
