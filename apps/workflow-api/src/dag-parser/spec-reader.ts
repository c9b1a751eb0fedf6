import { hasErrors, type Dag, type Finding, type ParseResult } from '@weir/workflow-spec';
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

/**
 * The workspace of a file that may belong to one which cannot be read. No workspace has this name, so that only those who
 * see all workspaces see the file.
 */
export const unknownWorkspace = '?';

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

/** Reads specs of files, whose workspaces decide who may see them. */
export function hidingUnread(reader: SpecReader): SpecReader {
  return {
    parse: async (text, options) => {
      const result = await reader.parse(text, options);
      return hidesWorkspace(text, result) ? { ...result, dag: { ...result.dag, workspace: unknownWorkspace } } : result;
    },
  };
}

/** Whether the text names a workspace that is not that of the DAG, because of an error or of several names. */
function hidesWorkspace(text: string, { dag, findings }: ParseResult): boolean {
  if (dag.workspace !== undefined) return false;
  if (dag.labels.filter((label) => label.startsWith('workspace=')).length > 1) return true;
  return hasErrors(findings) && /workspace/i.test(text);
}
