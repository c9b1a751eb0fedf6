import { isAppError } from '@weir/foundation';
import type { JsonObject } from '@weir/workflow-spec';
import type { OfferedTool, ToolCall } from '../../host/models/conversation';
import { cutText } from '../../values/text/cut-text';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionContext } from '../call/action-executor';
import type { CallableDags } from '../call/callable-dags';

const maxResultBytes = 64 * 1024;

/** A run that the model has started. */
export interface StartedRun extends JsonObject {
  readonly dag: string;
  readonly dagRunId: string;
  readonly status: string;
}

interface CalledDag {
  /** For the model. */
  readonly text: string;
  readonly run?: StartedRun;
}

/** The DAGs that a chat step offers to its model. */
interface DagTools {
  readonly offered: readonly OfferedTool[];
  /** Waits for the end of the run. The model reads what is wrong with its call, and may correct itself. */
  call(call: ToolCall): Promise<CalledDag>;
}

/** Fails for a DAG that cannot be started. */
export async function offerDags(
  names: readonly string[],
  { services, signal }: Pick<ActionContext, 'services' | 'signal'>,
): Promise<DagTools> {
  const { dags } = services;
  if (names.length === 0) return { offered: [], call: ({ name }) => Promise.resolve(noTool(name)) };
  if (dags === undefined) throw actionFailed('DAGs cannot be called here.');
  // The names under which a model knows them have fewer characters than those of DAGs.
  const tools = new Map<string, { dag: string; tool: OfferedTool }>();
  for (const dag of names) {
    const name = dag.replaceAll(/[^\w-]/g, '_').slice(0, 64);
    if (tools.has(name)) throw actionFailed(`Two DAGs would be the tool ${name}.`);
    const { description, parameters } = await dags.describe(dag);
    tools.set(name, { dag, tool: { name, description: description || `Runs the DAG ${dag}.`, parameters } });
  }
  return {
    offered: [...tools.values()].map(({ tool }) => tool),
    call: async ({ name, arguments: given }) => {
      const found = tools.get(name);
      if (found === undefined) return noTool(name);
      if (!isJsonObject(given)) return { text: 'The arguments are no JSON object.' };
      return callDag(found.dag, given, { dags, signal });
    },
  };
}

const noTool = (name: string): CalledDag => ({ text: `There is no tool ${name}.` });

interface Calling {
  readonly dags: CallableDags;
  readonly signal: AbortSignal;
}

async function callDag(dag: string, given: string, { dags, signal }: Calling): Promise<CalledDag> {
  try {
    const { dagRunId, status, outputs } = await dags.run(dag, given, signal);
    return { text: cutText(JSON.stringify({ status, outputs }), maxResultBytes), run: { dag, dagRunId, status } };
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error)) throw error;
    return { text: error.message };
  }
}

function isJsonObject(text: string): boolean {
  try {
    const found: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof found === 'object' && found !== null && !Array.isArray(found);
  } catch {
    return false;
  }
}
