import type { Resource } from '@weir/service-kit';
import type { ParseResult } from '@weir/workflow-spec';
import { parseSpec, type SpecOptions } from './parse-spec';

/** Parses DAG specs as `parseSpec` does; all errors of a spec are in the findings. */
export interface DagParser {
  /** Rejects only when the spec could not be parsed at all: `parser_busy`, `spec_too_costly`. */
  parse(text: string, options?: SpecOptions): Promise<ParseResult>;
}

/** Provides two lanes to one parser, so that requests cannot starve the server's own work. */
export interface DagParsers extends Resource {
  /** Rejects with `parser_busy` when too many requests wait. */
  readonly forRequests: DagParser;
  /** Parses for the catalog and the worker, which limit their own load. */
  readonly forServer: DagParser;
}

/** Parses on the calling thread, for short specs and for tests. */
export function createInlineParser(): DagParser {
  return { parse: (text, options) => Promise.resolve(parseSpec(text, options)) };
}

export function createInlineParsers(): DagParsers {
  const parser = createInlineParser();
  return { name: 'dag parser', forRequests: parser, forServer: parser, stop: () => Promise.resolve() };
}
