import { listModelProblems } from '../../keys/actions/settings/chat-abilities';
import { agentStepName } from '../../model/agent';
import { limits } from '../../model/limits';
import type { Step } from '../../model/step';
import { report, type YamlValue } from '../../source/yaml/yaml-value';
import type { StepOptions } from '../../steps/scope/step-options';
import type { DagFields } from './read-config';

/** Settings of `llm` that are about one answer: an agent has many, and decides by calling tools. */
const settingsOfAnswers = ['response_format', 'tools'] as const;

/** Returns the step that a DAG of type agent executes: the steps of the file are what its model may choose. */
export function readAgent(
  steps: readonly Step[],
  { tasks, llm, type }: DagFields,
  value: YamlValue,
  options: StepOptions,
): Step {
  const location = type?.source ?? value;
  if (!tasks) report(location, 'missing_key', 'tasks is required: they are the goals of a DAG of type agent');
  checkModel(options, llm?.source ?? location);
  if (steps.length > limits.agentSteps) {
    report(value, 'too_many_steps', `a DAG of type agent may have ${limits.agentSteps} steps at most`);
  }
  return {
    name: agentStepName,
    run: { kind: 'agent', tasks: tasks?.value ?? [], steps },
    depends: [],
    env: [],
  };
}

function checkModel({ llm }: StepOptions, location: YamlValue): void {
  if (llm?.model === undefined) {
    report(location, 'missing_key', 'llm with a model is required: it decides in a DAG of type agent');
    return;
  }
  for (const key of settingsOfAnswers) {
    if (llm[key] === undefined) continue;
    const message = `llm.${key} is not supported in a DAG of type agent: give it to the chat steps that need it`;
    report(location, 'unsupported_value', message);
  }
  for (const problem of listModelProblems(llm)) report(location, 'unsupported_value', problem);
}
