import type { Resource } from '@weir/service-kit';
import type { ParseResult } from '@weir/workflow-spec';
import { parseSpec, type SpecOptions } from './parse-spec';

/** Reads DAG texts as `parseSpec` does; everything wrong with a text is in the findings. */
export interface DagParser {
  /** Rejects when the text could not be parsed at all: `parser_busy`, `spec_too_costly`. */
  parse(text: string, options?: SpecOptions): Promise<ParseResult>;
}

/** Two ways to one parser, so that requests cannot keep the server from its own work. */
export interface DagParsers extends Resource {
  /** Refuses with `parser_busy` when too much waits. */
  readonly forRequests: DagParser;
  /** For the catalog and the runner, which bound themselves. */
  readonly forServer: DagParser;
}

/** Parses on the calling thread: for small texts, and for specs. */
export function createInlineParser(): DagParser {
  return { parse: (text, options) => Promise.resolve(parseSpec(text, options)) };
}

export function createInlineParsers(): DagParsers {
  const parser = createInlineParser();
  return { name: 'dag parser', forRequests: parser, forServer: parser, stop: () => Promise.resolve() };
}
