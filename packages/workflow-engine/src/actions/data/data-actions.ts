import type { JsonValue } from '@weir/workflow-spec';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { readFormat, writeFormat } from './convert-format';
import { applyJq } from './jq-filter-action';

type Work = ActionWork<'data.convert' | 'data.pick'>;

export const dataConvert: ActionExecutor<'data.convert'> = async (work) => {
  await print(work, await readSource(work), work.settings.to);
  return undefined;
};

export const dataPick: ActionExecutor<'data.pick'> = async (work) => {
  const { settings } = work;
  const results = await applyJq(work, settings.select, JSON.stringify(await readSource(work)));
  for (const result of results ?? fail()) await print(work, result, settings.to ?? 'json');
  return undefined;
};

/** The value itself, or what its text spells. */
function readSource({ settings }: Work): Promise<JsonValue> {
  const { data, input, from } = settings;
  const given = data ?? input ?? null;
  return typeof given === 'string' ? readFormat(given, from, settings) : Promise.resolve(given);
}

async function print({ call, settings, log }: Work, value: JsonValue, to: NonNullable<Work['settings']['to']>) {
  const text = await writeFormat(value, to, settings);
  if (Buffer.byteLength(text) > call.maxOutputBytes) {
    throw actionFailed(`The result is larger than ${call.maxOutputBytes} bytes.`);
  }
  log.out(text);
}

function fail(): never {
  throw actionFailed(
    'select is no jq expression, cannot be applied to the value, or takes too long or gives too much for one step.',
  );
}
