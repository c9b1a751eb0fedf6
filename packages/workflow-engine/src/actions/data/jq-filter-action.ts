import type { JsonValue } from '@weir/workflow-spec';
import type { OutputRequest } from '../../outputs/evaluate-outputs';
import type { ActionDependencies, ActionExecutor } from '../action-executor';
import { actionFailed } from '../action-errors';
import { isList, type ActionSettings } from '../action-settings';
import { defineExecutor } from '../define-executor';

/** Applies a jq expression and prints its results, each on a line of its own. */
export function createJqFilter({ evaluate }: Pick<ActionDependencies, 'evaluate'>): ActionExecutor {
  return defineExecutor(async ({ call, settings, signal, log }) => {
    const request: OutputRequest = {
      fields: [{ name: resultName, source: { kind: 'stdout', decode: 'json', select: allResults(settings) } }],
      stdout: inputText(settings),
      files: [],
      maxBytes: call.maxOutputBytes,
    };
    const answer = await evaluate(request, signal);
    signal.throwIfAborted();
    if ('problem' in answer) throw actionFailed(notApplied);
    const results = answer.fields.find(({ name }) => name === resultName)?.value;
    const isRaw = settings.flag('raw');
    for (const result of isList(results) ? results : []) log.line(formatResult(result, isRaw));
    return undefined;
  });
}

const resultName = 'results';
/** What jq itself says may quote the value. */
const notApplied =
  'filter is no jq expression, cannot be applied to the value, or takes too long or gives too much for one step.';

/** One value that holds all results; the new line ends a comment at the end of the filter. */
function allResults(settings: ActionSettings): string {
  return `[${settings.required('filter')}\n]`;
}

function inputText(settings: ActionSettings): string {
  const data = settings.value('data');
  if (data !== undefined) return JSON.stringify(data);
  const input = settings.text('input') ?? 'null';
  try {
    JSON.parse(input);
  } catch {
    throw actionFailed('input is not JSON.');
  }
  return input;
}

function formatResult(result: JsonValue, isRaw: boolean): string {
  return isRaw && typeof result === 'string' ? result : JSON.stringify(result);
}
