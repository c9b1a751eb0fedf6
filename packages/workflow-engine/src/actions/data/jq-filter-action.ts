import type { JsonValue } from '@weir/workflow-spec';
import type { OutputRequest } from '../../values/outputs/evaluate-outputs';
import type { ActionContext, ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { isList } from '../../values/text/is-list';
import { actionPath } from '../../host/files/action-paths';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import { readWhole } from '../files/read-whole';

type Settings = ActionWork<'jq.filter'>['settings'];

/** Applies a jq expression and prints each result on its own line. */
export const jqFilter: ActionExecutor<'jq.filter'> = async (work) => {
  const { settings, log } = work;
  const results = await applyJq(work, settings.filter, await readInput(work));
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

/** The value as JSON. A text that is not JSON, and cannot be meant to be, is the path of a file. */
async function readInput({ settings: { data, input = 'null' }, call }: ActionWork<'jq.filter'>): Promise<string> {
  if (data !== undefined) return JSON.stringify(data);
  if (isJson(input)) return input;
  const text = input.trim();
  if (text === '' || /^[[{"]|\n/.test(text)) throw actionFailed('input is not JSON.');
  const path = actionPath(call, text);
  const found = await namingSetting('input', () => findStats(path, true));
  if (found === undefined) throw actionFailed('input is neither JSON nor a file.');
  const options = { setting: 'input', maxBytes: call.maxOutputBytes, isLinkFollowed: true };
  const content = (await readWhole(path, options)).toString('utf8');
  if (!isJson(content)) throw actionFailed('the file that input names does not contain JSON.');
  return content;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Whether it can be parsed is the question.
    return false;
  }
}

function formatResult(result: JsonValue, { raw }: Settings): string {
  return raw === true && typeof result === 'string' ? result : JSON.stringify(result);
}
