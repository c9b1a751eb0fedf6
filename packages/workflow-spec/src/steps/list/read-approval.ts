import { compact } from '../../model/compact';
import type { ActionRun, Step } from '../../model/step';
import type { AuthoredApproval } from '../../keys/policies/approval';
import { reportField } from '../../keys/policies/policy-findings';
import type { Field } from '../../shapes/read-object';
import { quote } from '../../source/text/quote';
import type { DeferredParts } from '../scope/deferred-parts';
import type { StepLookup } from '../scope/step-lookup';
import type { StepOptions } from '../scope/step-options';
import { getEntries, type YamlValue } from '../../source/yaml/yaml-value';

/** Returns the approval, resolved once every step has its name. Reports an approval where none is allowed. */
export function readApproval(
  field: Field<AuthoredApproval> | undefined,
  selector: Step['workerSelector'],
  options: StepOptions,
): readonly DeferredParts[] {
  if (!field) return [];
  const problem = findScopeProblem(selector, options);
  if (problem !== undefined) {
    const code = options.scope === 'handler' ? 'not_in_handler' : 'approval_not_here';
    field.source.context.report.add(code, field.keyLocation, problem);
    return [];
  }
  const { value } = field;
  if (!value) return [];
  return [
    (lookup) => {
      const rewindTo = value.rewindTo && findRewind(value.rewindTo, lookup);
      return { approval: rewindTo === lookup.self ? value.gate : { ...value.gate, ...compact({ rewindTo }) } };
    },
  ];
}

/** Replaces the ID in `rewind_to` of a human task by the name once all steps have their names. */
export function lateRewind(run: ActionRun, settings: YamlValue | undefined): readonly DeferredParts[] {
  const written = settings && getEntries(settings).find(({ key }) => key === 'rewind_to' || key === 'rewindTo')?.value;
  if (written === undefined) return [];
  return [(lookup) => ({ run: { ...run, with: { ...run.with, rewind_to: findRewind(written, lookup) ?? '' } } })];
}

/** Returns the name of the step that a push-back returns to: the step itself, or one before it. */
function findRewind(written: YamlValue, lookup: StepLookup): string | undefined {
  const found = lookup.find(written, 'rewind_to');
  if (found !== undefined && found !== lookup.self && !lookup.isUpstream(found)) {
    const what = `rewind_to must name the step itself or an upstream step; ${quote(found)} is neither`;
    reportField(written, 'rewind_not_upstream', what);
  }
  return found;
}

function findScopeProblem(selector: Step['workerSelector'], { scope, isDispatched }: StepOptions): string | undefined {
  if (scope === 'handler') return 'a lifecycle step cannot have an approval';
  if (scope === 'foreach') return 'a step in a loop cannot have an approval';
  if (scope === 'agent') return 'a step of an agent cannot have an approval';
  const isElsewhere = isDispatched === true || (selector !== undefined && selector !== 'local');
  return isElsewhere ? 'a step with an approval cannot be dispatched to workers' : undefined;
}
