import { quote } from '../../source/text/quote';
import { stepKind } from '../../keys/step-keys/step-kind';
import { workKeys } from '../../keys/step-keys/work-keys';
import type { StepOptions } from '../scope/step-options';
import { reportDeprecated, renameTo } from '../../shapes/report-deprecated';
import { syntheticEntry, syntheticMap, syntheticValue } from '../../source/yaml/synthetic-value';
import { getEntries, getText, type YamlEntry, type YamlValue, type ReadContext } from '../../source/yaml/yaml-value';
import type { CustomCall } from './custom-call';
import { fillTemplate } from '../custom-actions/fill-template';
import { readInput, type GivenInput } from './read-input';
import type { FindingReport } from '../../source/findings/report/finding-report';

/** Keys of the call that do not become keys of the step. */
const callKeys = new Set(['action', 'type', 'with', 'config']);

/** Replaces a call of a custom action by the step it stands for; returns any other step unchanged. */
export function expandCall(step: YamlValue, options: StepOptions): YamlValue {
  const call = findCall(step, options);
  if (!call) return step;
  const own = getEntries(step).filter((entry) => !callKeys.has(entry.key) && isStepEntry(entry));
  const template = fillCallTemplate(call);
  if (!template) return toEmptyStep(call, own);
  const given = new Set(own.map(toCanonicalKey));
  const inherited = [...getEntries(template), ...outputSchema(call, template)].filter(
    (entry) => !given.has(toCanonicalKey(entry)),
  );
  return syntheticMap([...inherited, ...own], step, template.context);
}

function findCall(step: YamlValue, { customActions }: StepOptions): CustomCall | undefined {
  if (!customActions || customActions.size === 0) return undefined;
  const entry = getEntries(step).find(({ key }) => key === 'action' || key === 'type');
  const action = entry && customActions.get(getText(entry.value)?.trim() ?? '');
  if (!action) return undefined;
  if (entry.key === 'type')
    reportDeprecated(entry.location, `action: ${action.definition.name}`, step, renameTo('action'));
  const config = getEntries(step).find(({ key }) => key === 'config');
  if (config) reportDeprecated(config.location, 'with', step, renameTo('with'));
  return { action, step, name: entry.value };
}

/** Only the template may say what the step does; other work keys of the call are reported. */
function isStepEntry({ key, location, value }: YamlEntry): boolean {
  const name = stepKind.spellings.get(key) ?? key;
  if (name === 'parallel' || !Object.hasOwn(workKeys, name)) return true;
  value.context.report.add('conflicting_keys', location, `${name} cannot be used together with action`);
  return false;
}

/** The error of the call is reported; the step becomes a no-op so that it causes no further findings. */
function toEmptyStep({ step, name }: CustomCall, own: readonly YamlEntry[]): YamlValue {
  const others = own.filter((entry) => toCanonicalKey(entry) !== 'parallel');
  return syntheticMap(
    [...others, syntheticEntry('action', syntheticValue('noop', name, step.context))],
    step,
    step.context,
  );
}

function fillCallTemplate(call: CustomCall): YamlValue | undefined {
  const input = readInput(call);
  if (!input || call.action.isBroken) return undefined;
  const { definition, template, budget } = call.action;
  const context = templateContext(call, template);
  const source = template ?? syntheticValue(definition.template, call.name, context);
  const missing: string[] = [];
  let isWithin = budget.spend(JSON.stringify(definition.template).length, call.name);
  const filled = fillTemplate(source, {
    find: input.find,
    missing: (path) => missing.push(path.join('.')),
    spend: (length) => (isWithin = isWithin && budget.spend(length, call.name)),
    location: call.name,
    context,
  });
  for (const path of new Set(missing)) reportMissing(call, input, path);
  return isWithin && missing.length === 0 ? filled : undefined;
}

function reportMissing({ action, step }: CustomCall, { location }: GivenInput, path: string): void {
  const message = `the action ${quote(action.definition.name)} needs the input ${quote(path)}`;
  step.context.report.add('missing_key', location, message);
}

function outputSchema({ action, name }: CustomCall, template: YamlValue): readonly YamlEntry[] {
  const { outputSchema: schema } = action.definition;
  const isGiven = getEntries(template).some((entry) => toCanonicalKey(entry) === 'output_schema');
  return schema && !isGiven ? [syntheticEntry('output_schema', syntheticValue(schema, name, template.context))] : [];
}

function toCanonicalKey({ key }: YamlEntry): string {
  return stepKind.spellings.get(key) ?? key;
}

/** Reports each finding inside a template once, however many steps call the action. */
function templateContext({ action, step }: CustomCall, template: YamlValue | undefined): ReadContext {
  const { context } = step;
  if (!template) return context;
  const [start, end] = template.range;
  const add: FindingReport['add'] = (code, location, message, fix) => {
    const [from, to] = location.range;
    if (from < start || to > end) return context.report.add(code, location, message, fix);
    const identity = `${code} ${from} ${to} ${message}`;
    if (action.reported.has(identity)) return;
    action.reported.add(identity);
    context.report.add(code, location, message, fix);
  };
  return { ...context, report: { ...context.report, add } };
}
