import type { Dag, Finding, ParseResult } from '@weir/workflow-spec';
import type { DagParser } from './dag-parser';
import type { SpecOptions } from './parse-spec';
import type { BaseText } from './read-base';

export interface ReadSpec extends ParseResult {
  /** The base configurations that the spec was parsed with, the more general first. */
  readonly baseTexts: readonly string[];
}

/** Parses DAG specs with the current base configurations. */
export interface SpecReader {
  parse(text: string, options?: Omit<SpecOptions, 'bases'>): Promise<ReadSpec>;
}

export interface BaseSource {
  /** Reads the base configuration of every DAG. */
  read(): Promise<BaseText | undefined>;
  /** Reads the base configuration of the DAGs of a workspace. */
  readForWorkspace(workspace: string): Promise<BaseText | undefined>;
}

/** Finds what only the server knows to be wrong with a DAG. */
export type CheckDag = (text: string, dag: Dag) => Promise<readonly Finding[]>;

const checkNothing: CheckDag = () => Promise.resolve([]);

export function createSpecReader(parser: DagParser, source: BaseSource, check: CheckDag = checkNothing): SpecReader {
  const withBases = async (text: string, options: SpecOptions, bases: readonly BaseText[]): Promise<ReadSpec> => {
    const result = await parser.parse(text, { ...options, bases });
    const found = await check(text, result.dag);
    const findings = found.length === 0 ? result.findings : [...result.findings, ...found];
    return { ...result, findings, baseTexts: bases.map((base) => base.text) };
  };
  return {
    parse: async (text, options) => {
      const base = await source.read();
      const bases = base === undefined ? [] : [base];
      const result = await withBases(text, { ...options }, bases);
      const { workspace } = result.dag;
      const further = workspace === undefined ? undefined : await source.readForWorkspace(workspace);
      if (further === undefined) return result;
      // The workspace is known only after the first parse.
      return withBases(text, { ...options }, [...bases, further]);
    },
  };
}
