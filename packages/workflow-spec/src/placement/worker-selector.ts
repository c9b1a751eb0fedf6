import { settingBound } from '../actions/setting-shapes';
import type { WorkerSelector } from '../canonical/step';
import { quote } from '../quote';
import { readText, wrongKind } from '../read/readers';
import { namedShape, shape } from '../read/shape';
import { invalid, mapOf, text } from '../read/shapes';
import { entriesOf, kindOf, type YamlValue } from '../yaml/yaml-value';

const labels = mapOf(text, settingBound('worker_selector'));
const labelName = /^[A-Za-z0-9][A-Za-z0-9_./-]*$/;

/** `local`, or the labels that a worker must have; their values may hold references. */
export const workerSelector = namedShape(
  'WorkerSelector',
  shape<WorkerSelector>(
    (value) => (kindOf(value) === 'map' ? readLabels(value) : readLocal(value)),
    (book) => ({
      anyOf: [
        { const: 'local' },
        { ...labels.schema(book), minProperties: 1, propertyNames: { pattern: labelName.source } },
      ],
    }),
  ),
);

function readLocal(value: YamlValue): WorkerSelector | undefined {
  if (kindOf(value) === 'list') return wrongKind(value, 'local or a map of labels');
  const found = readText(value);
  if (found === undefined || found === 'local') return found;
  return invalid(value, 'must be local or a map of labels');
}

function readLabels(value: YamlValue): WorkerSelector | undefined {
  const entries = entriesOf(value);
  if (entries.length === 0) return invalid(value, 'must name at least one label, or be local');
  for (const { key, spot } of entries) {
    if (labelName.test(key)) continue;
    const message = `invalid worker label ${quote(key)}: letters, digits, underscores, dots, slashes and dashes`;
    value.context.report.add('invalid_value', spot, message);
  }
  return labels.read(value);
}
