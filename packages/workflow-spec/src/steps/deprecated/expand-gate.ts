import { getEntries, getKind, getText, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';
import { syntheticEntry, syntheticMap, syntheticValue } from '../../source/yaml/synthetic-value';
import { reportDeprecated } from '../../shapes/report-deprecated';

/**
 * Rewrites a step of the deprecated type `hitl` to its replacement: a step without work that has an approval. With a
 * `form` it is a human task and stays unchanged, like every other step.
 */
export function expandGate(step: YamlValue): YamlValue {
  const entries = getEntries(step);
  const type = entries.find(isGate);
  if (!type || entries.some(({ key }) => key === 'approval')) return step;
  const settings = entries.filter(({ key }) => key === 'config' || key === 'with');
  const [config] = settings;
  if (settings.length > 1 || (config && hasForm(config.value))) return step;
  const { context } = step;
  reportDeprecated(type.location, 'approval', step);
  if (config) reportDeprecated(config.location, 'approval', step);
  const gate = config && getKind(config.value) !== 'null' ? config.value : syntheticMap([], type.value, context);
  const others = entries.filter((entry) => entry !== type && entry !== config);
  const work = syntheticEntry('action', syntheticValue('noop', type.value, context), type.location);
  return syntheticMap(
    [...others, work, syntheticEntry('approval', gate, config?.location ?? type.location)],
    step,
    context,
  );
}

function isGate({ key, value }: YamlEntry): boolean {
  return key === 'type' && getText(value)?.trim() === 'hitl';
}

function hasForm(config: YamlValue): boolean {
  return getEntries(config).some(({ key }) => key === 'form');
}
