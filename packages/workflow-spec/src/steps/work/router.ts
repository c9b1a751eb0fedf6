import type { JsonObject } from '../../model/json';
import type { ActionRun } from '../../model/step';
import { quote } from '../../source/text/quote';
import type { DeferredParts } from '../scope/deferred-parts';
import { getEntries, getItems, getKind, type YamlValue } from '../../source/yaml/yaml-value';

interface Route {
  readonly pattern: string;
  readonly targets: readonly YamlValue[];
}

/** Returns the values that name the targets of a router. */
export function routeTargets(settings: YamlValue | undefined): readonly YamlValue[] {
  return readRoutes(settings).flatMap(({ targets }) => targets);
}

/** Replaces the IDs in the routes by names once all steps have their names. */
export function lateRoutes(run: ActionRun, settings: YamlValue | undefined): DeferredParts {
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
  const routes = settings && getEntries(settings).find(({ key }) => key === 'routes')?.value;
  return (routes ? getEntries(routes) : []).map(({ key, value }) => ({
    pattern: key,
    targets: getKind(value) === 'list' ? getItems(value) : [value],
  }));
}
