import { actionNames, findAction } from '../actions/action-catalogue';
import { unsupportedAction } from '../actions/unsupported-action';
import { quote } from '../quote';
import type { StepOptions } from '../steps/step-options';
import { didYouMean } from '../suggest';
import { madeMap } from '../yaml/made-value';
import type { YamlValue } from '../yaml/yaml-value';
import type { ActionRun } from '../canonical/work';
import type { ActionCall } from './step-form';

/** The action that is called, with its settings. Missing when there is no such action, which is reported. */
export function readAction(call: ActionCall, step: YamlValue, options: StepOptions): ActionRun | undefined {
  const { name, spot, settings = madeMap([], spot, step.context) } = call;
  const action = findAction(name);
  if (action) return { kind: 'action', action: action.name, with: action.with.read(settings) ?? {} };
  const what = unsupportedAction(name);
  if (what !== undefined) {
    const message = `the action ${quote(name)} (${what}) is not supported by this version`;
    step.context.report.add('unsupported_value', spot, message);
    return undefined;
  }
  const near = step.context.suggest(name, [...actionNames(), ...(options.customActions?.keys() ?? [])]);
  const fix = near === undefined ? undefined : { title: `Write ${quote(near)}`, text: near };
  step.context.report.add('unknown_action', spot, `unknown action ${quote(name)}${didYouMean(near)}`, fix);
  return undefined;
}
