import { dagKind } from '../../keys/dag-keys/dag-kind';
import type { Dag } from '../../model/dag';
import { quote } from '../../source/text/quote';
import { keysWithoutReferences, stepKind } from '../../keys/step-keys/step-kind';
import { didYouMean } from '../../source/text/suggest';
import { createReferenceReader } from '../../values/references/reference';
import { foreachKind } from '../../keys/loops/foreach-kind';
import { getEntries, getItems, getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';
import { checkEnvOrder } from './check-env-order';
import { checkPositionals } from './check-positionals';
import { checkReference } from './check-reference';
import { checkShellCode } from './check-shell-code';
import { findExecutedCode } from '../../values/references/executed-code';
import {
  listEarlierVariables,
  loopContext,
  settingsContext,
  stepContext,
  type ReferenceContext,
} from './reference-context';
import type { ReferenceReport } from './reference-report';
import { locateReferences } from './locate-references';

/** Keys without references. */
const plainRootKeys = new Set(['name', 'description', 'group', 'labels', 'tags', 'schedule', 'actions', 'step_types']);
/** Settings whose strings are used by steps, or at the end of a run. */
const laterRootKeys = new Set(['error_mail', 'info_mail', 'wait_mail']);
/** Keys whose strings are used after the step has ended. */
const laterStepKeys = new Set(['repeat_policy', 'approval']);
const commandKeys = new Set(['run', 'command', 'script']);
const conditionKeys = new Set(['preconditions', 'precondition', 'repeat_policy']);

/**
 * Checks every reference of a document against the DAG that was read from it. No finding prevents the DAG from
 * running: an unresolved reference stays in its string.
 */
export function checkReferences(document: YamlValue, dag: Dag, report: ReferenceReport): void {
  const context = settingsContext(dag);
  const walk: Walk = { report };
  for (const { key, value } of getEntries(document)) {
    const name = dagKind.spellings.get(key) ?? key;
    if (plainRootKeys.has(name)) continue;
    if (name === 'env') checkEnvOrder(report, value, listEarlierVariables(dag));
    if (name === 'steps') walkSteps(walk, value, context);
    else if (name === 'handler_on') {
      for (const handler of getEntries(value)) walkStep(walk, handler.value, { ...context, kind: 'handler' });
    } else if (name === 'params') walkParams(walk, value, context);
    else if (name === 'defaults') walkParts(walk, value, { ...context, kind: 'later' });
    else if (conditionKeys.has(name)) walkConditions(walk, value, context);
    else walkTexts(walk, value, laterRootKeys.has(name) ? { ...context, kind: 'later' } : context, false);
  }
}

interface Walk {
  readonly report: ReferenceReport;
}

function walkSteps(walk: Walk, value: YamlValue, context: ReferenceContext): void {
  for (const item of getItems(value)) {
    if (getKind(item) === 'list') walkSteps(walk, item, context);
    else walkStep(walk, item, context);
  }
  for (const entry of getEntries(value)) {
    // As the value of a name, a list is the commands of one step.
    if (getKind(entry.value) !== 'list') walkStep(walk, entry.value, context);
    else walkTexts(walk, entry.value, stepContext(context, findReadStep(entry.value)), true);
  }
}

function walkStep(walk: Walk, value: YamlValue, group: ReferenceContext): void {
  const context = stepContext(group, findReadStep(value));
  if (getKind(value) !== 'map') {
    walkTexts(walk, value, context, true);
    return;
  }
  for (const { key, value: part } of getEntries(value)) {
    const name = stepKind.spellings.get(key) ?? key;
    if (keysWithoutReferences.has(name)) continue;
    if (name === 'env') checkEnvOrder(walk.report, part, group.variables);
    const own = laterStepKeys.has(name) ? { ...context, hasEnded: true } : context;
    if (name === 'foreach') walkLoop(walk, part, context);
    else if (conditionKeys.has(name)) walkConditions(walk, part, own);
    else walkTexts(walk, part, own, commandKeys.has(name));
  }
}

function walkParts(walk: Walk, value: YamlValue, context: ReferenceContext): void {
  for (const { key, value: part } of getEntries(value)) {
    if (conditionKeys.has(stepKind.spellings.get(key) ?? key)) walkConditions(walk, part, context);
    else walkTexts(walk, part, context, false);
  }
}

function walkConditions(walk: Walk, value: YamlValue, context: ReferenceContext): void {
  if (getKind(value) === 'text') walkTexts(walk, value, context, false);
  for (const item of getItems(value)) walkConditions(walk, item, context);
  for (const { key, value: part } of getEntries(value)) {
    walkTexts(walk, part, key === 'expected' ? { ...context, kind: 'literal' } : context, false);
  }
}

function walkLoop(walk: Walk, value: YamlValue, context: ReferenceContext): void {
  const body = loopContext(context);
  for (const { key, value: part } of getEntries(value)) {
    const name = foreachKind.spellings.get(key) ?? key;
    if (name === 'steps') walkSteps(walk, part, body);
    else if (name === 'items') walkTexts(walk, part, context, false);
    else if (name === 'key') walkTexts(walk, part, { ...context, items: body.items }, false);
    else walkTexts(walk, part, { ...body, kind: 'collect', step: undefined }, false);
  }
}

function findReadStep({ node, context }: YamlValue) {
  return node ? context.index.steps.get(node) : undefined;
}

/** Only `eval` is evaluated; defaults are literal. */
function walkParams(walk: Walk, value: YamlValue, context: ReferenceContext): void {
  for (const item of getItems(value)) {
    for (const { key, value: part } of getEntries(item)) if (key === 'eval') walkTexts(walk, part, context, false);
  }
}

/** Recursion is safe: the depth of a document is limited when it is parsed. */
function walkTexts(walk: Walk, value: YamlValue, context: ReferenceContext, isCommand: boolean): void {
  for (const item of getItems(value)) walkTexts(walk, item, context, isCommand);
  for (const entry of getEntries(value)) walkTexts(walk, entry.value, context, isCommand);
  const text = getKind(value) === 'text' ? getText(value) : undefined;
  if (isCommand && text !== undefined) {
    const problem = checkPositionals(text, context.dag, context.step);
    if (problem !== undefined) walk.report.add(value.context, problem.code, value, problem.message);
  }
  if (text?.includes('${')) checkText(walk, value, { text, context, isCommand });
}

interface TextUse {
  readonly text: string;
  readonly context: ReferenceContext;
  readonly isCommand: boolean;
}

function referenceStarts(text: string): readonly number[] {
  return [...text.matchAll(/\$\{/g)].map(({ index }) => index);
}

function checkText({ report }: Walk, value: YamlValue, { text, context, isCommand }: TextUse): void {
  const reader = createReferenceReader(text);
  const locate = locateReferences(value, text);
  const executors = isCommand ? findExecutedCode(text, referenceStarts(text)) : undefined;
  for (let at = text.indexOf('${'); at !== -1; at = text.indexOf('${', at + 2)) {
    const reference = reader.at(at);
    if (reference === undefined) continue;
    const danger = isCommand ? checkShellCode(text, reference, executors?.get(at)) : undefined;
    if (danger) report.add(value.context, danger.code, locate(reference), danger.message);
    const problem = checkReference({ reference, context, isCommand });
    if (!problem) continue;
    const { code, message, part, names } = problem;
    const wrong = part === undefined ? reference.path.join('.') : [reference.head, ...reference.path][part];
    const near = names && wrong !== undefined ? value.context.suggest(wrong, names) : undefined;
    const fix =
      near === undefined || part === undefined
        ? undefined
        : { title: `Write ${quote(near)}`, text: near, range: locate(reference, part).range };
    report.add(value.context, code, locate(reference), `${message}${didYouMean(near)}`, fix);
  }
}
