import { compact } from '../../model/compact';
import { parsePackageReference } from '../../keys/actions/package-reference';
import type { ActionRun } from '../../model/step';
import { anyMap } from '../../shapes/shapes';
import type { StepOptions } from '../scope/step-options';
import { quote } from '../../source/text/quote';
import type { YamlValue } from '../../source/yaml/yaml-value';
import type { ActionCall } from '../form/step-form';

/**
 * Reads the call of a packaged action: a run of its DAG, whose parameters are the settings. Returns `undefined` when
 * it cannot be read, which was reported, and `null` when no packaged action has the name.
 */
export function readPackagedAction(
  { name, location, settings }: ActionCall,
  step: YamlValue,
  { actionLocks = {} }: StepOptions,
): ActionRun | undefined | null {
  const reference = parsePackageReference(name);
  if (reference === undefined) return null;
  const { report } = step.context;
  if ('problem' in reference) {
    report.add('invalid_value', location, `the action ${quote(name)} ${reference.problem}`);
    return undefined;
  }
  const params = settings === undefined ? {} : anyMap.read(settings);
  const lock = Object.hasOwn(actionLocks, name) ? actionLocks[name] : undefined;
  if (lock === undefined) {
    const message = `the action ${quote(name)} is not locked: "weir lock FILE" writes its commit and checksum into action_lock`;
    report.add('action_not_locked', location, message);
  }
  if (params === undefined) return undefined;
  const packaged = { ...reference, ...compact({ lock }) };
  return { kind: 'action', action: 'dag.run', with: { dag: name, params }, package: packaged };
}
