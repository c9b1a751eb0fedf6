import { keySpec } from '../shapes/object-kind';
import { anyJson, either, nonEmptyText, text } from '../shapes/shapes';
import { getKind } from '../yaml/yaml-value';
import { defineAction, defineUnavailable } from './define-action';
import { atMostOne, exactlyOne } from './settings/key-choice';
import { oneReference, outputValues } from './settings/data-settings';
import { character, flag, texts, word } from './settings/setting-shapes';

const format = word('json', 'yaml', 'csv', 'tsv', 'text');

const source = {
  data: keySpec('The value itself', anyJson),
  input: keySpec('The value as text, or a reference to it', text),
};

const tableSource = {
  from: keySpec('Format of the value', format, { required: true }),
  ...source,
  has_header: keySpec('Whether the first row names the columns', flag),
  headers: keySpec(
    'Names of the columns, or whether to write them',
    either((value) => getKind(value) === 'list', texts('headers'), flag),
  ),
  delimiter: keySpec('Character between two columns', character),
  columns: keySpec('The columns to keep, in their order', texts('columns')),
  raw: keySpec('Write texts without quotes', flag),
};

export const dataActions = [
  defineAction('jq.filter', {
    description: 'Applies a jq expression to a value',
    execution: 'in-process',
    restart: true,
    references: { filter: 'program' },
    keys: {
      filter: keySpec('The jq expression', nonEmptyText, { required: true }),
      ...source,
      raw: keySpec('Write texts without quotes', flag),
    },
    choices: [atMostOne('data', 'input')],
  }),
  defineAction('template.render', {
    description: 'Fills in a template',
    execution: 'in-process',
    restart: true,
    references: { template: 'program' },
    keys: {
      template: keySpec('The template', text),
      template_ref: keySpec('One reference to the template', oneReference),
      data: keySpec('What the template may use', anyJson),
      output: keySpec('File that the text is written to', nonEmptyText),
    },
    choices: [exactlyOne('template', 'template_ref')],
  }),
  defineUnavailable('data.convert', {
    description: 'Turns a value into another format',
    keys: { ...tableSource, to: keySpec('Format to write', format, { required: true }) },
    choices: [exactlyOne('data', 'input')],
  }),
  defineUnavailable('data.pick', {
    description: 'Takes a part of a value',
    keys: {
      ...tableSource,
      select: keySpec('Which part: a jq expression', nonEmptyText, { required: true }),
      to: keySpec('Format to write', format),
    },
    choices: [exactlyOne('data', 'input')],
  }),
  defineAction('outputs.write', {
    description: 'Publishes outputs of the step',
    execution: 'in-process',
    restart: true,
    keys: { values: keySpec('From the name of an output to its value', outputValues, { required: true }) },
  }),
] as const;
