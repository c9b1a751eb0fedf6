import type { JsonValue } from '@weir/workflow-spec';
import type { OutputRequest } from '../../outputs/evaluate-outputs';
import type { ActionExecutor, ActionWork } from '../action-executor';
import { actionFailed } from '../action-errors';
import { isList } from '../is-list';

type Settings = ActionWork<'jq.filter'>['settings'];

/** Applies a jq expression and prints each result on its own line. */
export const jqFilter: ActionExecutor<'jq.filter'> = async ({ call, settings, services, signal, log }) => {
  const request: OutputRequest = {
    fields: [{ name: resultName, source: { kind: 'stdout', decode: 'json', select: collectResults(settings) } }],
    stdout: inputText(settings),
    files: [],
    maxBytes: call.maxOutputBytes,
  };
  const evaluated = await services.evaluate(request, signal);
  signal.throwIfAborted();
  if ('problem' in evaluated) throw actionFailed(notApplied);
  const results = evaluated.fields.find(({ name }) => name === resultName)?.value;
  for (const result of isList(results) ? results : []) log.line(formatResult(result, settings));
  return undefined;
};

const resultName = 'results';
/** The messages of jq itself may quote the value. */
const notApplied =
  'filter is no jq expression, cannot be applied to the value, or takes too long or gives too much for one step.';

/** Collects all results in one value; the line break ends a comment at the end of the filter. */
function collectResults({ filter }: Settings): string {
  return `[${filter}\n]`;
}

function inputText({ data, input = 'null' }: Settings): string {
  if (data !== undefined) return JSON.stringify(data);
  try {
    JSON.parse(input);
  } catch {
    throw actionFailed('input is not JSON.');
  }
  return input;
}

function formatResult(result: JsonValue, { raw }: Settings): string {
  return raw === true && typeof result === 'string' ? result : JSON.stringify(result);
}
