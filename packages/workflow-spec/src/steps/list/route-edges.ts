import { quote } from '../../source/text/quote';
import { report, getText, type YamlValue } from '../../source/yaml/yaml-value';
import type { NamedSteps } from './name-steps';

/** A dependency of a step on the router that chooses it. */
export interface RouteEdge {
  readonly router: string;
  readonly location: YamlValue;
}

/** Maps each step that a router may choose to that router. Unknown steps are reported elsewhere. */
export function routeEdges({ steps, namesByReference: handles }: NamedSteps): ReadonlyMap<string, RouteEdge> {
  const edges = new Map<string, RouteEdge>();
  for (const { step, name: router } of steps) {
    for (const location of step.routes ?? []) {
      const target = handles.get(getText(location)?.trim() ?? '');
      if (target === undefined) continue;
      if (target === router) report(location, 'invalid_route', `the router ${quote(router)} cannot choose itself`);
      else if (edges.has(target)) {
        report(location, 'invalid_route', `the step ${quote(target)} already belongs to another route`);
      } else edges.set(target, { router, location });
    }
  }
  return edges;
}
