import { findAction } from '../../keys/actions/action-catalogue';
import { quote } from '../../source/text/quote';
import { stepKind } from '../../keys/step-keys/step-kind';
import { didYouMean } from '../../source/text/suggest';
import {
  getEntries,
  getItems,
  getKind,
  report,
  getText,
  type YamlEntry,
  type YamlValue,
} from '../../source/yaml/yaml-value';
import { inputReference } from './fill-template';
import { templateParts } from './template-text';

const callerKeys = new Set(['id', 'name', 'depends', 'foreach']);

/** Makes the checks that are possible before the template is filled. */
export function checkTemplate(template: YamlValue): boolean {
  if (getKind(template) !== 'map' || getEntries(template).length === 0) {
    report(
      template,
      'invalid_template',
      'a template must contain the keys of a step: run or action, and optionally others',
    );
    return false;
  }
  const keys = getEntries(template).map(checkKey);
  if (keys.length === 0) {
    report(template, 'invalid_template', 'the template must contain run or action');
    return false;
  }
  return [...keys, checkAction(template), checkGaps(template)].every(Boolean);
}

function checkKey({ key, location, value }: YamlEntry): boolean {
  const name = stepKind.spellings.get(key);
  if (name !== undefined && !callerKeys.has(name)) return true;
  const { report: findings, suggest } = value.context;
  if (name === undefined) {
    const near = suggest(key, stepKind.spellings.keys());
    findings.add('unknown_key', location, `the template has invalid keys: ${quote(key)}${didYouMean(near)}`);
  } else {
    const message = `${name} belongs to the step that calls the action and is not allowed in its template`;
    findings.add('invalid_template', location, message);
  }
  return false;
}

function checkAction(template: YamlValue): boolean {
  const action = getEntries(template).find(({ key }) => key === 'action')?.value;
  const name = action && getText(action);
  if (!action || name === undefined || findAction(name.trim()) || name.includes('{{')) return true;
  const message = `the template must use run or a built-in action; ${quote(name)} is neither`;
  report(action, 'invalid_template', message);
  return false;
}

function checkGaps(value: YamlValue): boolean {
  switch (getKind(value)) {
    case 'map':
      return [checkReference(value), ...getEntries(value).map((entry) => checkGaps(entry.value))].every(Boolean);
    case 'list':
      return getItems(value).map(checkGaps).every(Boolean);
    case 'text':
      return checkText(value);
    default:
      return true;
  }
}

function checkText(value: YamlValue): boolean {
  const unknown = templateParts(getText(value) ?? '').find(({ kind }) => kind === 'unknown');
  if (unknown?.kind !== 'unknown') return true;
  const message = `${quote(unknown.text)} is not known; write {{ .input.name }} or {{ json .input.name }}`;
  report(value, 'invalid_template', message);
  return false;
}

function checkReference(map: YamlValue): boolean {
  const entry = getEntries(map).find(({ key }) => key === '$input');
  if (!entry || inputReference(map)) return true;
  const message = '$input must be the only key of its map, with the name of an input as its value';
  map.context.report.add('invalid_template', entry.location, message);
  return false;
}
