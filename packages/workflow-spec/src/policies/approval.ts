import type { Approval } from '../model/approval';
import type { Step } from '../model/step';
import { compact } from '../compact';
import { limits } from '../limits';
import { quote } from '../text/quote';
import { keySpec, objectKind } from '../shapes/object-kind';
import { objectShape, type Field } from '../shapes/read-object';
import { readNonEmptyText, readText } from '../shapes/readers';
import { namedShape, shape } from '../shapes/shape';
import { reportInvalid, listShape, text } from '../shapes/shapes';
import type { DeferredParts } from '../steps/deferred-parts';
import type { StepOptions } from '../steps/step-options';
import { didYouMean } from '../text/suggest';
import { getItems, getText, type YamlValue } from '../yaml/yaml-value';
import { reportField } from './policy-findings';

const inputName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const inputBound = { limit: limits.approvalInputs, code: 'invalid_value', what: 'input' } as const;
const requiredBound = { ...inputBound, what: 'required' } as const;
const scalar = ['string', 'number', 'boolean'];

// Later steps read the values from their environment.
const input = shape<string>(
  (value) => {
    const name = readText(value);
    if (name === undefined || inputName.test(name)) return name;
    return reportField(value, 'invalid_env_name', `invalid environment variable name ${quote(name)}`);
  },
  { type: ['string', 'boolean'], pattern: inputName.source },
);

const nonEmptyValue = shape<YamlValue>((value) => (readNonEmptyText(value) === undefined ? undefined : value), {
  type: scalar,
  minLength: 1,
});

const approvalKind = objectKind({
  title: 'approval',
  keys: {
    prompt: keySpec('Question shown to the person', text),
    input: keySpec('Names of the values that the person may give', listShape(input, inputBound)),
    required: keySpec('Inputs that must be given', listShape(nonEmptyValue, requiredBound)),
    rewind_to: keySpec('The step from which a push-back restarts', nonEmptyValue),
  },
});

/** An approval whose `rewind_to` is not resolved yet. */
export interface AuthoredApproval {
  readonly gate: Approval;
  readonly rewindTo?: YamlValue;
}

export const approval = namedShape(
  'Approval',
  objectShape(approvalKind, ({ prompt, input: names, required, rewind_to: rewindTo }): AuthoredApproval => {
    // An invalid input name is reported once.
    const isReadable = !names || names.value?.length === getItems(names.source).length;
    const known = new Set(names?.value);
    const wanted = required?.value?.flatMap((each) => (isReadable ? requiredName(each, known) : [])) ?? [];
    return {
      gate: { ...compact({ prompt: prompt?.value }), input: [...known], required: [...new Set(wanted)] },
      ...compact({ rewindTo: rewindTo?.value }),
    };
  }),
);

/** The approval, resolved once every step has its name. Reports an approval where none is allowed. */
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

function requiredName(value: YamlValue, known: ReadonlySet<string>): readonly string[] {
  const name = getText(value) ?? '';
  if (known.has(name)) return [name];
  reportInvalid(value, `required must be one of the names in input${didYouMean(value.context.suggest(name, known))}`);
  return [];
}

function findScopeProblem(selector: Step['workerSelector'], { scope, isDispatched }: StepOptions): string | undefined {
  if (scope === 'handler') return 'a lifecycle step cannot have an approval';
  if (scope === 'foreach') return 'a step in a loop cannot have an approval';
  const isElsewhere = isDispatched === true || (selector !== undefined && selector !== 'local');
  return isElsewhere ? 'a step with an approval cannot be dispatched to workers' : undefined;
}
