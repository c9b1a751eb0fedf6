import { keySpec } from '../../shapes/object-kind';
import { reportWrongKind } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { asWritten, nonEmptyText, recordShape, oneOrMany } from '../../shapes/shapes';
import { getEntries, getKind, report } from '../../source/yaml/yaml-value';
import { defineAction } from './define-action';
import { settingBound } from '../../shapes/settings/setting-shapes';

const targets = recordShape(oneOrMany(nonEmptyText, settingBound('the steps of a route')), settingBound('routes'));

/** Maps a pattern, exact or `re:` and a regular expression, to the names of steps. */
const routes = shape<Readonly<Record<string, readonly string[]>>>(
  (value) => {
    if (getKind(value) !== 'map') return reportWrongKind(value, 'a map from pattern to steps');
    const entries = getEntries(value);
    if (entries.length === 0) report(value, 'invalid_value', 'routes must hold at least one route');
    for (const { key, location } of entries) {
      const problem = key.startsWith('re:') ? value.context.checkPattern(key.slice(3)) : undefined;
      if (problem !== undefined) {
        value.context.report.add('invalid_value', location, `the pattern of a route cannot be used: ${problem}`);
      }
    }
    return targets.read(value);
  },
  (book) => ({ ...targets.schema(book), minProperties: 1 }),
);

export const routeActions = [
  defineAction('router.route', {
    description: 'Executes the steps of matching routes and skips those of the others',
    execution: 'composite',
    restart: true,
    keys: {
      value: keySpec('Value that is matched against the patterns', asWritten, { required: true }),
      routes: keySpec('Maps patterns to a step or steps', routes, { required: true }),
    },
  }),
] as const;
