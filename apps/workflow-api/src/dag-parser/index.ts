export { createInlineParser, createInlineParsers, type DagParser, type DagParsers } from './dag-parser';
export { isSpecTooCostly } from './parser-errors';
export { createPooledParser, type PooledParserOptions } from './pooled-parser';
