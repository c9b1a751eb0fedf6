import { entriesOf, kindOf, textOf, type YamlEntry, type YamlValue } from '../yaml/yaml-value';
import { madeEntry, madeMap, madeValue } from '../yaml/made-value';
import { reportOld } from './report-old';

/**
 * A step of the old type `hitl` as what has become of it: a step that does nothing, with an approval after it. With a
 * `form` it is a human task, and left as it is, like every other step.
 */
export function expandGate(step: YamlValue): YamlValue {
  const entries = entriesOf(step);
  const type = entries.find(isGate);
  if (!type || entries.some(({ key }) => key === 'approval')) return step;
  const settings = entries.filter(({ key }) => key === 'config' || key === 'with');
  const [config] = settings;
  if (settings.length > 1 || (config && hasForm(config.value))) return step;
  const { context } = step;
  reportOld(type.spot, 'approval', step);
  if (config) reportOld(config.spot, 'approval', step);
  const gate = config && kindOf(config.value) !== 'null' ? config.value : madeMap([], type.value, context);
  const others = entries.filter((entry) => entry !== type && entry !== config);
  const work = madeEntry('action', madeValue('noop', type.value, context), type.spot);
  return madeMap([...others, work, madeEntry('approval', gate, config?.spot ?? type.spot)], step, context);
}

function isGate({ key, value }: YamlEntry): boolean {
  return key === 'type' && textOf(value)?.trim() === 'hitl';
}

function hasForm(config: YamlValue): boolean {
  return entriesOf(config).some(({ key }) => key === 'form');
}
