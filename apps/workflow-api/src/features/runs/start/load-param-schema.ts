import { open } from 'node:fs/promises';
import path from 'node:path';
import { isDagName, type Dag } from '@weir/workflow-spec';
import { applyParamSchema } from '@weir/workflow-spec/values';
import { paramsInvalid } from '../store/dag-run-errors';

export interface ParamSchemaSources {
  readonly dag: Dag;
  /** See `DagRunSummary.fileName`. */
  readonly fileName: string;
  readonly dagsDir: string;
  /** Default: the function of the platform. */
  readonly fetch?: typeof fetch;
}

const maxBytes = 1_048_576;
const deadlineMs = 10_000;

/**
 * Adds the parameters of the schema that a DAG names: a file, relative to the DAG's file, or a URL. The schema is
 * read for every run. Throws `params_invalid` when it cannot be read within ten seconds, is longer than 1 MiB, or is
 * not a parameter schema.
 */
export async function loadParamSchema(sources: ParamSchemaSources): Promise<Dag> {
  const { dag } = sources;
  const source = dag.paramSchema;
  if (source === undefined || source.kind === 'inline') return dag;
  const text =
    source.kind === 'file' ? await readSchemaFile(source.path, sources) : await fetchSchema(source.url, sources);
  const applied = applyParamSchema(dag, text);
  if (applied.problems.length > 0) throw paramsInvalid(applied.problems);
  return applied.dag;
}

async function readSchemaFile(name: string, { fileName, dagsDir }: ParamSchemaSources): Promise<string> {
  const folder = isDagName(fileName) ? dagsDir : path.dirname(fileName);
  try {
    const handle = await open(path.resolve(folder, name), 'r');
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new Error('it is not a file');
      if (stat.size > maxBytes) throw new Error(tooLong);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function fetchSchema(url: string, { fetch: request = fetch }: ParamSchemaSources): Promise<string> {
  try {
    const response = await request(url, { signal: AbortSignal.timeout(deadlineMs) });
    if (!response.ok) throw new Error(`the answer has the status ${response.status}`);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    // The platform's types do not say that the body yields bytes.
    const body = response.body as AsyncIterable<Uint8Array> | null;
    for await (const part of body ?? []) {
      bytes += part.length;
      // The error ends the request.
      if (bytes > maxBytes) throw new Error(tooLong);
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  } catch (error) {
    throw unreadable(url, error);
  }
}

const tooLong = `it is longer than ${maxBytes} bytes`;

function unreadable(source: string, error: unknown) {
  const why = error instanceof Error ? error.message : String(error);
  return paramsInvalid([`the schema of the parameters ${JSON.stringify(source)} cannot be read: ${why}`]);
}
