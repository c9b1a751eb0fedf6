import { findAction } from '../../keys/actions/action-catalogue';
import { parsePackageReference } from '../../keys/actions/package-reference';
import { unsupportedAction } from '../../keys/actions/unsupported-action';
import type { JsonObject } from '../../model/json';
import { compact } from '../../model/compact';
import type { actionsKeys } from '../../keys/dag-keys/actions-keys';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { limitEntries } from '../../shapes/limit-entries';
import { readObject, type Field, type Fields } from '../../shapes/read-object';
import { reportWrongKind } from '../../shapes/readers';
import { anyMap, reportInvalid } from '../../shapes/shapes';
import { deprecatedTypes } from '../../keys/step-keys/form-keys';
import { reportDeprecated } from '../../shapes/report-deprecated';
import { syntheticEntry, syntheticMap } from '../../source/yaml/synthetic-value';
import { getEntries, getKind, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';
import { checkTemplate } from './check-template';
import { createBudget } from './budget';
import type { CallableAction, CustomAction, CustomActions } from './custom-action';
import { actionKind, customActionName, stepTypeKind } from '../../keys/dag-keys/definition-kind';
import { compileInputSchema, type InputCheck } from './input-schema';

const bound = { limit: limits.customActions, code: 'invalid_value', what: 'actions' } as const;
const acceptAny: InputCheck = (input) => ({ input, problems: [] });

/** Returns the custom actions of a document and the `inherited` ones, which it may not redefine. */
export function readCustomActions(
  { actions, step_types: stepTypes }: Fields<typeof actionsKeys>,
  inherited: readonly CustomAction[],
): CustomActions {
  const budget = createBudget();
  const all = new Map<string, CallableAction>();
  for (const definition of inherited) {
    const checkInput = compileOnFirstCall(definition);
    all.set(definition.name, { definition, checkInput, isBroken: false, reported: new Set(), budget });
  }
  if (stepTypes) reportDeprecated(stepTypes.keyLocation, 'actions', stepTypes.source);
  const define = (entry: YamlEntry, read: (value: YamlValue) => Definition | undefined) => {
    const isFree = checkName(entry, all);
    const found = toCallable(entry.key, read(entry.value));
    if (isFree) all.set(entry.key, { ...found, reported: new Set(), budget });
  };
  for (const entry of readEntries(actions)) define(entry, readAction);
  for (const entry of readEntries(stepTypes)) define(entry, readStepType);
  return all;
}

/** The schema is compiled on the first call, because most DAGs call few of the actions they inherit. */
function compileOnFirstCall({ inputSchema }: CustomAction): InputCheck {
  let check: InputCheck | undefined;
  return (input) => {
    const result = check || !inputSchema ? undefined : compileInputSchema(inputSchema);
    check ??= result && 'check' in result ? result.check : acceptAny;
    return check(input);
  };
}

type Definition = Fields<typeof actionKind.keys>;

function readAction(value: YamlValue): Definition | undefined {
  return readObject(value, actionKind)?.fields;
}

/** The type outside the template becomes a key of the template. */
function readStepType(value: YamlValue): Definition | undefined {
  const fields = readObject(value, stepTypeKind)?.fields;
  if (!fields) return undefined;
  const { type, template, ...others } = fields;
  if (!template?.value || !type) return others;
  if (getKind(template.value) !== 'map' || getEntries(template.value).length === 0) return { ...others, template };
  const entries = [syntheticEntry('type', type.source, type.keyLocation), ...getEntries(template.value)];
  return { ...others, template: { ...template, value: syntheticMap(entries, template.source, value.context) } };
}

type Callable = Pick<CallableAction, 'definition' | 'template' | 'checkInput' | 'isBroken'>;

function toCallable(name: string, fields: Definition | undefined): Callable {
  const { template, input_schema: input, output_schema: output, description } = fields ?? {};
  const checkInput = input?.value ? compileSchema(input.value, input.source) : acceptAny;
  const isSound = template?.value !== undefined && checkTemplate(template.value);
  const json = isSound ? anyMap.read(template.value) : undefined;
  return {
    definition: {
      name,
      template: json ?? {},
      ...compact({ description: description?.value, inputSchema: input?.value, outputSchema: output?.value }),
    },
    ...compact({ template: template?.value }),
    checkInput: checkInput ?? acceptAny,
    isBroken: !isSound || !checkInput || (input !== undefined && !input.value),
  };
}

function compileSchema(schema: JsonObject, source: YamlValue): InputCheck | undefined {
  const result = compileInputSchema(schema);
  if ('check' in result) return result.check;
  return result.problem === undefined ? undefined : reportInvalid(source, result.problem);
}

function checkName({ key, location, value }: YamlEntry, all: CustomActions): boolean {
  const problem = nameProblem(key, all);
  if (problem !== undefined) value.context.report.add('invalid_custom_action', location, problem);
  return problem === undefined;
}

function nameProblem(name: string, all: CustomActions): string | undefined {
  if (!customActionName.test(name)) {
    return `invalid action name ${quote(name)}: words of letters, digits, "-" and "_", each beginning with a letter, with dots between them`;
  }
  const isBuiltIn =
    findAction(name) ?? unsupportedAction(name) ?? parsePackageReference(name) ?? deprecatedTypes.get(name);
  if (isBuiltIn !== undefined) return `the action ${quote(name)} is built in and cannot be defined again`;
  if (!all.has(name)) return undefined;
  return `the action ${quote(name)} is already defined, here or in a base configuration`;
}

function readEntries(field: Field<YamlValue> | undefined): readonly YamlEntry[] {
  if (!field?.value) return [];
  if (getKind(field.value) === 'map') return limitEntries(getEntries(field.value), field.value, bound);
  reportWrongKind(field.value, 'a map from name to action');
  return [];
}
