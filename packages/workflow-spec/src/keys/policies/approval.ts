import type { Approval } from '../../model/approval';
import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText, readText } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { reportInvalid, listShape, text } from '../../shapes/shapes';
import { didYouMean } from '../../source/text/suggest';
import { getItems, getText, type YamlValue } from '../../source/yaml/yaml-value';
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

function requiredName(value: YamlValue, known: ReadonlySet<string>): readonly string[] {
  const name = getText(value) ?? '';
  if (known.has(name)) return [name];
  reportInvalid(value, `required must be one of the names in input${didYouMean(value.context.suggest(name, known))}`);
  return [];
}
