import { syntheticMap } from '../../source/yaml/synthetic-value';
import { getEntries, getKind, type YamlValue } from '../../source/yaml/yaml-value';
import type { ActionCall } from '../form/step-form';
import { reportDeprecated } from '../../shapes/report-deprecated';

const importActions: ReadonlyMap<string, string> = new Map([
  ['postgres.query', 'postgres.import'],
  ['sqlite.query', 'sqlite.import'],
]);

/** In 1.x, a step of a database imported a file when its settings had a map `import`. */
export function readNestedImport(
  action: string,
  settings: YamlValue,
): Pick<ActionCall, 'name' | 'settings'> | undefined {
  const name = importActions.get(action);
  const entries = getEntries(settings);
  const nested = entries.find(({ key, value }) => key === 'import' && getKind(value) === 'map');
  if (name === undefined || !nested) return undefined;
  reportDeprecated(nested.location, `with of action: ${name}`, settings);
  const others = entries.filter((entry) => entry !== nested);
  return { name, settings: syntheticMap([...others, ...getEntries(nested.value)], settings, settings.context) };
}
