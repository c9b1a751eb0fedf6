import { parseDag, type Finding, type ParseOptions, type ParseResult } from '@weir/workflow-spec';
import { readBase, type BaseText } from './read-base';

export interface SpecOptions extends Pick<ParseOptions, 'name' | 'overrideName'> {
  /** Base configurations, the more general first. */
  readonly bases?: readonly BaseText[];
  /** SHA-256 of the text, where it is stored with the text: a cached result is then found without hashing. */
  readonly textHash?: string;
}

/**
 * Parses a DAG spec with its base configurations. A base configuration with errors contributes what could be read of
 * it, and an `invalid_base_config` finding at the start of the spec marks the DAG as invalid.
 */
export function parseSpec(text: string, { bases = [], ...options }: SpecOptions = {}): ParseResult {
  if (bases.length === 0) return parseDag(text, options);
  const read = bases.map(readBase);
  const result = parseDag(text, { ...options, base: read.map(({ base }) => base) });
  const problems = read.flatMap(({ problem }) => (problem === undefined ? [] : [problemFinding(problem)]));
  return { ...result, findings: [...problems, ...result.findings] };
}

function problemFinding(message: string): Finding {
  const start = { line: 1, column: 1, endLine: 1, endColumn: 1, startByte: 0, endByte: 0 };
  return { code: 'invalid_base_config', severity: 'error', path: '', message, ...start };
}
