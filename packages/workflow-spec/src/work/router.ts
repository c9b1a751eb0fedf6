import type { JsonObject } from '../canonical/json';
import type { ActionRun } from '../canonical/work';
import { quote } from '../quote';
import type { LateParts } from '../steps/authored-step';
import { entriesOf, itemsOf, kindOf, type YamlValue } from '../yaml/yaml-value';

interface Route {
  readonly pattern: string;
  readonly targets: readonly YamlValue[];
}

/** The values that name the steps a router chooses among. */
export function routeTargets(settings: YamlValue | undefined): readonly YamlValue[] {
  return readRoutes(settings).flatMap(({ targets }) => targets);
}

/** The router with the names of its steps, IDs replaced; known when all steps have their names. */
export function lateRoutes(run: ActionRun, settings: YamlValue | undefined): LateParts {
  return (lookup) => {
    const routes: JsonObject = Object.fromEntries(
      readRoutes(settings).map(({ pattern, targets }) => [
        pattern,
        targets.flatMap((target) => lookup.find(target, `the route ${quote(pattern)}`) ?? []),
      ]),
    );
    return { run: { ...run, with: { ...run.with, routes } } };
  };
}

function readRoutes(settings: YamlValue | undefined): readonly Route[] {
  const routes = settings && entriesOf(settings).find(({ key }) => key === 'routes')?.value;
  return (routes ? entriesOf(routes) : []).map(({ key, value }) => ({
    pattern: key,
    targets: kindOf(value) === 'list' ? itemsOf(value) : [value],
  }));
}
