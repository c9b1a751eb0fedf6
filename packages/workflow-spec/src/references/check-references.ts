import { dagKind } from '../dag-keys/dag-kind';
import type { Dag } from '../dag';
import { quote } from '../quote';
import { stepKind } from '../step-keys/step-kind';
import { didYouMean } from '../suggest';
import { createReferenceReader } from '../values/reference';
import { foreachKind } from '../work/foreach-kind';
import { entriesOf, itemsOf, kindOf, textOf, type YamlValue } from '../yaml/yaml-value';
import { checkReference } from './check-reference';
import { bodyPlace, settingsPlace, stepPlace, type ReferencePlace } from './reference-place';
import type { ReferenceReport } from './reference-report';
import { placesIn } from './text-places';

/** Keys whose texts hold no references, or none of these. */
const plainRootKeys = new Set(['name', 'description', 'group', 'labels', 'tags', 'schedule', 'actions', 'step_types']);
const plainStepKeys = new Set(['id', 'name', 'description', 'depends', 'output_schema']);
/** Settings whose texts are used by steps, or at the end of a run. */
const laterRootKeys = new Set(['defaults', 'error_mail', 'info_mail', 'wait_mail']);
/** Keys whose texts are used when the step has done its work. */
const laterStepKeys = new Set(['repeat_policy', 'approval']);
const commandKeys = new Set(['run', 'command', 'script']);

/**
 * Looks at every reference of a document, given the DAG that it was read as. Nothing that is found keeps the DAG from
 * running: an unresolved reference stays in its text.
 */
export function checkReferences(document: YamlValue, dag: Dag, report: ReferenceReport): void {
  const place = settingsPlace(dag);
  const walk: Walk = { report };
  for (const { key, value } of entriesOf(document)) {
    const name = dagKind.spellings.get(key) ?? key;
    if (plainRootKeys.has(name)) continue;
    if (name === 'steps') walkSteps(walk, value, place);
    else if (name === 'handler_on') {
      for (const handler of entriesOf(value)) walkStep(walk, handler.value, { ...place, kind: 'handler' });
    } else if (name === 'params') walkParams(walk, value, place);
    else walkTexts(walk, value, laterRootKeys.has(name) ? { ...place, kind: 'later' } : place, false);
  }
}

interface Walk {
  readonly report: ReferenceReport;
}

/** A list with nested lists, or a map from name to step. */
function walkSteps(walk: Walk, value: YamlValue, place: ReferencePlace): void {
  for (const item of itemsOf(value)) {
    if (kindOf(item) === 'list') walkSteps(walk, item, place);
    else walkStep(walk, item, place);
  }
  for (const entry of entriesOf(value)) {
    // As the value of a name a list is the commands of one step.
    if (kindOf(entry.value) !== 'list') walkStep(walk, entry.value, place);
    else walkTexts(walk, entry.value, stepPlace(place, stepOf(entry.value)), true);
  }
}

function walkStep(walk: Walk, value: YamlValue, group: ReferencePlace): void {
  const place = stepPlace(group, stepOf(value));
  if (kindOf(value) !== 'map') {
    walkTexts(walk, value, place, true);
    return;
  }
  for (const { key, value: part } of entriesOf(value)) {
    const name = stepKind.spellings.get(key) ?? key;
    if (plainStepKeys.has(name)) continue;
    if (name === 'foreach') walkLoop(walk, part, place);
    else if (laterStepKeys.has(name)) walkTexts(walk, part, { ...place, hasEnded: true }, false);
    else walkTexts(walk, part, place, commandKeys.has(name));
  }
}

function walkLoop(walk: Walk, value: YamlValue, place: ReferencePlace): void {
  const body = bodyPlace(place);
  for (const { key, value: part } of entriesOf(value)) {
    const name = foreachKind.spellings.get(key) ?? key;
    if (name === 'steps') walkSteps(walk, part, body);
    else if (name === 'items') walkTexts(walk, part, place, false);
    else if (name === 'key') walkTexts(walk, part, { ...place, items: body.items }, false);
    else walkTexts(walk, part, { ...body, kind: 'collect', step: undefined }, false);
  }
}

function stepOf({ node, context }: YamlValue) {
  return node ? context.index.steps.get(node) : undefined;
}

/** Of parameters only what `eval` gives is worked out; defaults are literal. */
function walkParams(walk: Walk, value: YamlValue, place: ReferencePlace): void {
  for (const item of itemsOf(value)) {
    for (const { key, value: part } of entriesOf(item)) if (key === 'eval') walkTexts(walk, part, place, false);
  }
}

/** The depth of a document is bounded when it is read. */
function walkTexts(walk: Walk, value: YamlValue, place: ReferencePlace, isCommand: boolean): void {
  for (const item of itemsOf(value)) walkTexts(walk, item, place, isCommand);
  for (const entry of entriesOf(value)) walkTexts(walk, entry.value, place, isCommand);
  const text = kindOf(value) === 'text' ? textOf(value) : undefined;
  if (text?.includes('${')) checkText(walk, value, { text, place, isCommand });
}

interface TextUse {
  readonly text: string;
  readonly place: ReferencePlace;
  readonly isCommand: boolean;
}

function checkText({ report }: Walk, value: YamlValue, { text, place, isCommand }: TextUse): void {
  const reader = createReferenceReader(text);
  const placeOf = placesIn(value, text);
  for (let at = text.indexOf('${'); at !== -1; at = text.indexOf('${', at + 2)) {
    const reference = reader.at(at);
    const problem = reference && checkReference({ reference, place, isCommand });
    if (!problem) continue;
    const { code, message, part, names } = problem;
    const wrong = part === undefined ? reference.path.join('.') : [reference.head, ...reference.path][part];
    const near = names && wrong !== undefined ? value.context.suggest(wrong, names) : undefined;
    const fix =
      near === undefined || part === undefined
        ? undefined
        : { title: `Write ${quote(near)}`, text: near, range: placeOf(reference, part).range };
    report.add(value.context, code, placeOf(reference), `${message}${didYouMean(near)}`, fix);
  }
}
