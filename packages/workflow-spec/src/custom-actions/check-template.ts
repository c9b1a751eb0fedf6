import { findAction } from '../actions/action-catalogue';
import { quote } from '../quote';
import { stepKind } from '../step-keys/step-kind';
import { didYouMean } from '../suggest';
import { entriesOf, itemsOf, kindOf, report, textOf, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { inputReference } from './fill-template';
import { templateParts } from './template-text';

/** Keys that belong to the step which calls the action. */
const callerKeys = new Set(['id', 'name', 'depends', 'foreach']);

/** Whether nothing is wrong with a template before it is called; the rest shows when a call has filled it. */
export function checkTemplate(template: YamlValue): boolean {
  if (kindOf(template) !== 'map' || entriesOf(template).length === 0) {
    report(template, 'invalid_template', 'a template must hold the keys of a step: run or action, and others');
    return false;
  }
  const keys = entriesOf(template).map(checkKey);
  if (keys.length === 0) {
    report(template, 'invalid_template', 'the template must hold run or action');
    return false;
  }
  return [...keys, checkAction(template), checkGaps(template)].every(Boolean);
}

function checkKey({ key, spot, value }: YamlEntry): boolean {
  const name = stepKind.spellings.get(key);
  if (name !== undefined && !callerKeys.has(name)) return true;
  const { report: findings, suggest } = value.context;
  if (name === undefined) {
    const near = suggest(key, stepKind.spellings.keys());
    findings.add('unknown_key', spot, `the template has invalid keys: ${quote(key)}${didYouMean(near)}`);
  } else {
    const message = `${name} belongs to the step that calls the action, and cannot stand in its template`;
    findings.add('invalid_template', spot, message);
  }
  return false;
}

function checkAction(template: YamlValue): boolean {
  const action = entriesOf(template).find(({ key }) => key === 'action')?.value;
  const name = action && textOf(action);
  if (!action || name === undefined || findAction(name.trim()) || name.includes('{{')) return true;
  const message = `the template must use run or a built-in action, which ${quote(name)} is not`;
  report(action, 'invalid_template', message);
  return false;
}

function checkGaps(value: YamlValue): boolean {
  switch (kindOf(value)) {
    case 'map':
      return [checkReference(value), ...entriesOf(value).map((entry) => checkGaps(entry.value))].every(Boolean);
    case 'list':
      return itemsOf(value).map(checkGaps).every(Boolean);
    case 'text':
      return checkText(value);
    default:
      return true;
  }
}

function checkText(value: YamlValue): boolean {
  const unknown = templateParts(textOf(value) ?? '').find(({ kind }) => kind === 'unknown');
  if (unknown?.kind !== 'unknown') return true;
  const message = `${quote(unknown.text)} is not known; write {{ .input.name }} or {{ json .input.name }}`;
  report(value, 'invalid_template', message);
  return false;
}

function checkReference(map: YamlValue): boolean {
  const entry = entriesOf(map).find(({ key }) => key === '$input');
  if (!entry || inputReference(map)) return true;
  const message = '$input must stand alone in its map, with the name of an input';
  map.context.report.add('invalid_template', entry.spot, message);
  return false;
}
