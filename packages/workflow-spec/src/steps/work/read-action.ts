import { actionNames, findAction } from '../../keys/actions/action-catalogue';
import { unsupportedAction } from '../../keys/actions/unsupported-action';
import { quote } from '../../source/text/quote';
import type { StepOptions } from '../scope/step-options';
import { didYouMean } from '../../source/text/suggest';
import { syntheticMap } from '../../source/yaml/synthetic-value';
import type { YamlValue } from '../../source/yaml/yaml-value';
import type { ActionRun } from '../../model/step';
import { readPackagedAction } from './packaged-action';
import type { ActionCall } from '../form/step-form';

/** Reads the call of an action with its settings. An unknown action is reported. */
export function readAction(call: ActionCall, step: YamlValue, options: StepOptions): ActionRun | undefined {
  const { name, location, settings = syntheticMap([], location, step.context) } = call;
  const packaged = readPackagedAction(call, step, options);
  if (packaged !== null) return packaged;
  const action = findAction(name);
  const what = action === undefined ? unsupportedAction(name) : undefined;
  if (what !== undefined) {
    const message = `the action ${quote(name)} (${what}) is not supported by this version`;
    step.context.report.add('unsupported_value', location, message);
  }
  if (action) return { kind: 'action', action: action.name, with: action.with.read(settings) ?? {} };
  if (what !== undefined) return undefined;
  const near = step.context.suggest(name, [...actionNames(), ...(options.customActions?.keys() ?? [])]);
  const fix = near === undefined ? undefined : { title: `Write ${quote(near)}`, text: near };
  step.context.report.add('unknown_action', location, `unknown action ${quote(name)}${didYouMean(near)}`, fix);
  return undefined;
}
