import { compact } from '../../model/compact';
import type { Parallel } from '../../model/step';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readText } from '../../shapes/readers';
import { transformShape, shape } from '../../shapes/shape';
import { either, reportInvalid } from '../../shapes/shapes';
import { getKind, report } from '../../source/yaml/yaml-value';
import { concurrent, parallelItems } from './items';
import { reportDeprecated } from '../../shapes/report-deprecated';

/** A variable as `LIST`, `$LIST` or `${LIST}`. */
const variableName = shape<string>(
  (value) => {
    const name = /^(?:\$\{(\w+)\}|\$?(\w+))$/.exec((readText(value) ?? '').trim());
    return name ? `\${${name[1] ?? name[2] ?? ''}}` : reportInvalid(value, 'must be the name of a variable');
  },
  { type: 'string' },
);

const parallelKind = objectKind({
  title: 'parallel',
  keys: {
    items: keySpec('The items: a list, or a string that resolves to them', parallelItems),
    variable: keySpec('Deprecated form of items: the name of the variable that gives them', variableName, {
      replacedBy: 'items',
      reportedLater: true,
    }),
    max_concurrent: keySpec('Runs at the same time; that of defaults, or 10, when missing', concurrent),
  },
  rules: { anyOf: [{ required: ['items'] }, { required: ['variable'] }] },
});

/** Without a number of its own the step uses that of the DAG. */
export type ParallelForm = Omit<Parallel, 'maxConcurrent'> & Partial<Parallel>;

const full = objectShape(parallelKind, ({ items, variable, max_concurrent }, value): ParallelForm | undefined => {
  if (variable)
    reportDeprecated(variable.keyLocation, variable.value === undefined ? 'items' : `items: ${variable.value}`, value);
  if (items && variable) {
    value.context.report.add('conflicting_keys', variable.keyLocation, 'variable cannot be used together with items');
  }
  if (!items && !variable) report(value, 'missing_key', 'items is required in the parallel');
  const found = items ? items.value : variable?.value;
  return found === undefined ? undefined : { items: found, ...compact({ maxConcurrent: max_concurrent?.value }) };
});

const itemsAlone = transformShape(parallelItems, (items): ParallelForm => ({ items }));

/** The items of a step that runs DAGs: a list alone, or with the number of concurrent runs. */
export const parallel = either((value) => getKind(value) === 'map', full, itemsAlone);
