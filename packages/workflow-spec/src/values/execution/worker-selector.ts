import { settingBound } from '../../shapes/settings/setting-shapes';
import type { WorkerSelector } from '../../model/step';
import { quote } from '../../source/text/quote';
import { readText, reportWrongKind } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { reportInvalid, recordShape, text } from '../../shapes/shapes';
import { getEntries, getKind, type YamlValue } from '../../source/yaml/yaml-value';

const labels = recordShape(text, settingBound('worker_selector'));
const labelName = /^[A-Za-z0-9][A-Za-z0-9_./-]*$/;

/** `local`, or the labels a worker must have; label values may contain references. */
export const workerSelector = namedShape(
  'WorkerSelector',
  shape<WorkerSelector>(
    (value) => (getKind(value) === 'map' ? readLabels(value) : readLocal(value)),
    (book) => ({
      anyOf: [
        { const: 'local' },
        { ...labels.schema(book), minProperties: 1, propertyNames: { pattern: labelName.source } },
      ],
    }),
  ),
);

function readLocal(value: YamlValue): WorkerSelector | undefined {
  if (getKind(value) === 'list') return reportWrongKind(value, 'local or a map of labels');
  const found = readText(value);
  if (found === undefined || found === 'local') return found;
  return reportInvalid(value, 'must be local or a map of labels');
}

function readLabels(value: YamlValue): WorkerSelector | undefined {
  const entries = getEntries(value);
  if (entries.length === 0) return reportInvalid(value, 'must name at least one label, or be local');
  for (const { key, location } of entries) {
    if (labelName.test(key)) continue;
    const message = `invalid worker label ${quote(key)}: letters, digits, underscores, dots, slashes and dashes`;
    value.context.report.add('invalid_value', location, message);
  }
  return labels.read(value);
}
