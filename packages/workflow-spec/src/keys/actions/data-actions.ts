import { keySpec } from '../../shapes/object-kind';
import { anyJson, either, nonEmptyText, text } from '../../shapes/shapes';
import { getKind } from '../../source/yaml/yaml-value';
import { defineAction } from './define-action';
import { atMostOne, exactlyOne } from '../../shapes/settings/key-choice';
import { oneReference, outputValues } from './settings/data-settings';
import { character, flag, texts, word } from '../../shapes/settings/setting-shapes';

const format = word('json', 'yaml', 'csv', 'tsv', 'text');

const source = {
  data: keySpec('The value itself', anyJson),
  input: keySpec('The value as a string, or a reference to it', text),
};

const tableSource = {
  from: keySpec('Format of the value', format, { required: true }),
  ...source,
  has_header: keySpec('Whether the first row names the columns', flag),
  headers: keySpec(
    'Names of the columns, or whether to write a header row',
    either((value) => getKind(value) === 'list', texts('headers'), flag),
  ),
  delimiter: keySpec('Column separator, one character', character),
  columns: keySpec('Columns to include, in this order', texts('columns')),
  raw: keySpec('Write strings without quotes', flag),
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
      input: keySpec('The value as JSON, a reference to it, or the path of a file that contains it', text),
      raw: keySpec('Write strings without quotes', flag),
    },
    choices: [atMostOne('data', 'input')],
  }),
  defineAction('template.render', {
    description: 'Renders a template',
    execution: 'in-process',
    restart: true,
    references: { template: 'program' },
    keys: {
      template: keySpec('The template', text),
      template_ref: keySpec('One reference to the template', oneReference),
      data: keySpec('Values available in the template', anyJson),
      output: keySpec('File to which the result is written', nonEmptyText),
    },
    choices: [exactlyOne('template', 'template_ref')],
  }),
  defineAction('data.convert', {
    description: 'Converts a value to another format',
    execution: 'in-process',
    restart: true,
    keys: { ...tableSource, to: keySpec('Output format', format, { required: true }) },
    choices: [exactlyOne('data', 'input')],
  }),
  defineAction('data.pick', {
    description: 'Selects a part of a value',
    execution: 'in-process',
    restart: true,
    references: { select: 'program' },
    keys: {
      ...tableSource,
      select: keySpec('The part to select: a jq expression', nonEmptyText, { required: true }),
      to: keySpec('Output format', format),
    },
    choices: [exactlyOne('data', 'input')],
  }),
  defineAction('outputs.write', {
    description: 'Publishes outputs of the step',
    execution: 'in-process',
    restart: true,
    keys: { values: keySpec('Maps names of outputs to values', outputValues, { required: true }) },
  }),
] as const;
