import type { Step } from '../../model/step';
import type { AuthoredApproval } from '../../keys/policies/approval';
import { reportField } from '../../keys/policies/policy-findings';
import type { Field } from '../../shapes/read-object';
import { quote } from '../../source/text/quote';
import type { DeferredParts } from '../scope/deferred-parts';
import type { StepOptions } from '../scope/step-options';

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
      const rewindTo = value.rewindTo && lookup.find(value.rewindTo, 'rewind_to');
      if (!value.rewindTo || rewindTo === undefined || rewindTo === lookup.self) return { approval: value.gate };
      if (!lookup.isUpstream(rewindTo)) {
        const what = `rewind_to must name the step itself or an upstream step; ${quote(rewindTo)} is neither`;
        reportField(value.rewindTo, 'rewind_not_upstream', what);
      }
      return { approval: { ...value.gate, rewindTo } };
    },
  ];
}

function findScopeProblem(selector: Step['workerSelector'], { scope, isDispatched }: StepOptions): string | undefined {
  if (scope === 'handler') return 'a lifecycle step cannot have an approval';
  if (scope === 'foreach') return 'a step in a loop cannot have an approval';
  const isElsewhere = isDispatched === true || (selector !== undefined && selector !== 'local');
  return isElsewhere ? 'a step with an approval cannot be dispatched to workers' : undefined;
}
