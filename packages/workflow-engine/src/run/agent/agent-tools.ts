import { isAppError } from '@weir/foundation';
import { agentTools, type ActionRun, type JsonObject, type Step } from '@weir/workflow-spec';
import type { CallableDags } from '../../actions/call/callable-dags';
import type { OfferedTool } from '../../host/models/conversation';
import { agentTaskStatuses } from '../../model/run-model/agent-memo';

/** A step as a tool of the model. */
export interface StepTool extends OfferedTool {
  readonly step: Step;
}

export const settleTool: OfferedTool = {
  name: agentTools.settle,
  description:
    'Settles a task: completed when it is done, skipped when it is not needed, failed when it cannot be done; open takes that back.',
  parameters: {
    type: 'object',
    properties: {
      task: { type: 'string', description: 'The name of the task.' },
      status: { type: 'string', enum: [...agentTaskStatuses] },
      reason: { type: 'string', description: 'Why, in one sentence.' },
    },
    required: ['task', 'status', 'reason'],
    additionalProperties: false,
  },
};

export const askTool: OfferedTool = {
  name: agentTools.ask,
  description: 'Asks a person, who answers in words. The workflow waits for the answer, perhaps for days.',
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'One question, with all that a person has to know.' } },
    required: ['question'],
    additionalProperties: false,
  },
};

/** Models know a tool by this many letters, digits, underscores and hyphens. */
const maxToolName = 64;
const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** Only a step that runs a DAG takes arguments: the parameters of that DAG which the step leaves open. */
export async function offerSteps(steps: readonly Step[], dags: CallableDags): Promise<readonly StepTool[]> {
  const taken = new Set([settleTool.name, askTool.name]);
  const tools: StepTool[] = [];
  for (const step of steps) {
    const name = chooseName(step.id ?? step.name, taken);
    taken.add(name);
    const target = await describeTarget(step, dags);
    const written = [step.description, target?.description].find((text) => text !== undefined && text !== '');
    const description = written ?? `Runs the step ${step.name}.`;
    tools.push({ name, description, parameters: target?.parameters ?? noParameters, step });
  }
  return tools;
}

function chooseName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replaceAll(/[^\w-]/g, '_');
  let name = plain.slice(0, maxToolName);
  for (let count = 2; taken.has(name); count += 1) {
    const suffix = `_${count}`;
    name = `${plain.slice(0, maxToolName - suffix.length)}${suffix}`;
  }
  return name;
}

/** A DAG that is known only when the step runs, or that cannot be found, is called as the step says. */
async function describeTarget({ run, parallel }: Step, dags: CallableDags) {
  if (run.kind !== 'action' || run.action !== 'dag.run' || run.package !== undefined) return undefined;
  const { dag } = run.with;
  if (typeof dag !== 'string' || dag.includes('$')) return undefined;
  try {
    const { description, parameters } = await dags.describe(dag);
    const given = parallel === undefined ? readGivenParams(run) : undefined;
    return { description, parameters: given === undefined ? noParameters : openParameters(parameters, given) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return undefined;
  }
}

/** The parameters that the step sets itself; `undefined` where they are a text or a list, which says all of them. */
export function readGivenParams({ with: { params } }: ActionRun): JsonObject | undefined {
  if (params === undefined) return {};
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as JsonObject) : undefined;
}

/** The model is not asked for what the author has decided. */
function openParameters(schema: JsonObject, given: JsonObject): JsonObject {
  const { $schema: _, properties, required, ...rest } = schema;
  const isOpen = (name: string): boolean => !Object.hasOwn(given, name);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string' && isOpen(name)) : [];
  const left = Object.entries((properties ?? {}) as JsonObject).filter(([name]) => isOpen(name));
  return { ...rest, properties: Object.fromEntries(left), ...(names.length === 0 ? {} : { required: names }) };
}
