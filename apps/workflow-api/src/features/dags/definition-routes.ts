import type { Bind } from '../../bind';
import type { DagCatalog } from './dag-catalog';
import { bindDagInsightRoutes, type DagInsightDependencies } from './dag-insight-routes';
import type { DagEditor } from './dag-editor';
import { bindDagFileRoutes, bindDagLabelRoutes } from './dag-file-routes';
import type { DagFileStore } from './dag-file-store';
import { bindDagHistoryRoutes, type DagHistoryRoutesDependencies } from './dag-history-routes';
import { bindDagRevisionRoutes, type DagRevisionRoutesDependencies } from './dag-revision-routes';
import { bindDagRoutes } from './dag-routes';
import type { DagService } from './dag-service';

export interface DefinitionRoutesDependencies
  extends DagHistoryRoutesDependencies, Omit<DagInsightDependencies, 'runs'>, DagRevisionRoutesDependencies {
  readonly store: DagFileStore;
  readonly catalog: DagCatalog;
  readonly dags: DagService;
  readonly editor: DagEditor;
}

/** Everything below `/dags`. Labels come first, because their path could be that of a DAG. */
export function bindDefinitionRoutes(bind: Bind, dependencies: DefinitionRoutesDependencies): void {
  bindDagLabelRoutes(bind, dependencies.catalog);
  bindDagRoutes(bind, dependencies.dags);
  bindDagFileRoutes(bind, dependencies.editor);
  bindDagHistoryRoutes(bind, dependencies);
  bindDagInsightRoutes(bind, dependencies);
  bindDagRevisionRoutes(bind, dependencies);
}
