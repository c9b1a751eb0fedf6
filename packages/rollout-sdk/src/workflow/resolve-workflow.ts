import { AppError } from '@weir/foundation';
import { createGroupedWorkflow, type GroupFilter } from '../group/grouped-workflow';
import { importPath, type ImportOptions } from './import-path';
import { isAgent, isClassWith, isWorkflow, type Agent, type RolloutWorkflow } from '../episode/workflow';

/** An agent, and where it came from if it was given as an import path: only that can be rebuilt in another process. */
export interface ResolvedAgent {
  readonly agent: Agent;
  readonly importPath: string | undefined;
  readonly kwargs: unknown;
}

export interface ResolveOptions {
  /** Argument of a class's constructor. */
  readonly kwargs?: unknown;
  /** Default 1. */
  readonly groupSize?: number;
  /** Rejects whole groups, for example `zeroVariance`. */
  readonly filter?: GroupFilter;
  /** Wraps an agent in a workflow in front of the proxy. Without it agents are refused. */
  readonly wrapAgent?: (resolved: ResolvedAgent) => RolloutWorkflow;
  readonly imports?: ImportOptions;
}

const maxImports = 16;

/**
 * Makes a workflow of a trainer's argument. In this order: a workflow is used as it is; a class of workflows is
 * instantiated with `kwargs`; a string is imported and what it names is resolved in turn; an agent, or a class of
 * agents, is wrapped; a group size above 1 wraps the result in groups. Rejects with `invalid_request`, reason
 * `workflow_invalid` or `import_failed`.
 */
export async function resolveWorkflow(given: unknown, options: ResolveOptions = {}): Promise<RolloutWorkflow> {
  const { groupSize = 1 } = options;
  if (!Number.isSafeInteger(groupSize) || groupSize < 1) throw invalid('The size of a group is a whole number from 1.');
  const workflow = await resolveOne(given, options);
  return groupSize === 1
    ? workflow
    : createGroupedWorkflow(workflow, { size: groupSize, ...(options.filter && { filter: options.filter }) });
}

async function resolveOne(given: unknown, options: ResolveOptions): Promise<RolloutWorkflow> {
  let value = given;
  let path: string | undefined;
  for (let imports = 0; typeof value === 'string'; imports += 1) {
    if (imports === maxImports)
      throw invalid(`The import path "${value.slice(0, 200)}" leads to further ones without end.`);
    path = value;
    value = await importPath(value, options.imports);
  }
  if (isWorkflow(value)) return value;
  if (isClassWith(value, 'arunEpisode')) return checkWorkflow(new value(options.kwargs));
  const agent = isClassWith(value, 'run') ? new value(options.kwargs) : value;
  if (isAgent(agent)) return wrap({ agent, importPath: path, kwargs: options.kwargs }, options);
  throw invalid('A workflow is an object with arunEpisode() or run(), a class of them, or the import path of one.');
}

function checkWorkflow(made: unknown): RolloutWorkflow {
  if (isWorkflow(made)) return made;
  throw invalid('The constructor of the workflow returned something else.');
}

function wrap(resolved: ResolvedAgent, { wrapAgent }: ResolveOptions): RolloutWorkflow {
  if (wrapAgent === undefined) throw invalid('An agent needs a proxy.');
  return wrapAgent(resolved);
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'workflow_invalid' });
}
