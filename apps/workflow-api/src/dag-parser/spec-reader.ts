import type { ParseResult } from '@weir/workflow-spec';
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

export function createSpecReader(parser: DagParser, source: BaseSource): SpecReader {
  return {
    parse: async (text, options) => {
      const base = await source.read();
      const bases = base === undefined ? [] : [base];
      const result = await parser.parse(text, { ...options, bases });
      const { workspace } = result.dag;
      const further = workspace === undefined ? undefined : await source.readForWorkspace(workspace);
      if (further === undefined) return { ...result, baseTexts: toTexts(bases) };
      // The workspace is known only after the first parse.
      const all = [...bases, further];
      return { ...(await parser.parse(text, { ...options, bases: all })), baseTexts: toTexts(all) };
    },
  };
}

function toTexts(bases: readonly BaseText[]): readonly string[] {
  return bases.map(({ text }) => text);
}
