import type { JsonValue } from '@weir/workflow-spec';
import type { OutputRequest } from '../../values/outputs/evaluate-outputs';
import type { ActionContext, ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { isList } from '../../values/text/is-list';

type Settings = ActionWork<'jq.filter'>['settings'];

/** Applies a jq expression and prints each result on its own line. */
export const jqFilter: ActionExecutor<'jq.filter'> = async (work) => {
  const { settings, log } = work;
  const results = await applyJq(work, settings.filter, inputText(settings));
  if (results === undefined) throw actionFailed(notApplied);
  for (const result of results) log.line(formatResult(result, settings));
  return undefined;
};

/** All results of an expression; `undefined` when it cannot be applied. The messages of jq may quote the value. */
export async function applyJq(
  { call, services, signal }: ActionContext,
  expression: string,
  json: string,
): Promise<readonly JsonValue[] | undefined> {
  // Collects all results in one value; the line break ends a comment at the end of the expression.
  const select = `[${expression}\n]`;
  const request: OutputRequest = {
    fields: [{ name: resultName, source: { kind: 'stdout', decode: 'json', select } }],
    stdout: json,
    files: [],
    maxBytes: call.maxOutputBytes,
  };
  const evaluated = await services.evaluate(request, signal);
  signal.throwIfAborted();
  if ('problem' in evaluated) return undefined;
  const results = evaluated.fields.find(({ name }) => name === resultName)?.value;
  return isList(results) ? results : [];
}

const resultName = 'results';
const notApplied =
  'filter is no jq expression, cannot be applied to the value, or takes too long or gives too much for one step.';

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
