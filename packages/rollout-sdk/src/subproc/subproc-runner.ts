import { EpisodeError } from '../episode/outcome';
import type { RunAgent } from '../episode/run-agent';
import { absoluteImportPath } from '../workflow/import-path';
import type { ResolvedAgent } from '../workflow/resolve-workflow';
import type { ProcessPool } from './process-pool';

/**
 * Runs an agent in a process of the pool, which rebuilds it from its import path. `LLM_BASE_URL` and `LLM_API_KEY` are
 * set in that process only. Synchronous code is allowed.
 */
export function createSubprocRunner(
  { importPath, kwargs }: Pick<ResolvedAgent, 'importPath' | 'kwargs'>,
  pool: ProcessPool,
  baseFolder: string,
): RunAgent {
  return ({ data, baseUrl, apiKey, sampleIndex, signal, timeoutMs }) => {
    if (importPath === undefined) {
      throw new EpisodeError(
        'not_serializable',
        'In subproc mode an agent is given as an import path: "module#export".',
      );
    }
    const env = { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey };
    const task = { importPath: absoluteImportPath(importPath, baseFolder), kwargs, data, sampleIndex, env };
    return pool.run(task, { signal, timeoutMs });
  };
}
