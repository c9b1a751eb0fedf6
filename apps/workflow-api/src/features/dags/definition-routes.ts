import type { Clock } from '@weir/workflow-engine/model';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { SpecReader } from '../../dag-parser';
import type { DagRevisionRepository, RevisionLog } from '../dag-revisions';
import type { DagRunRepository, DagRunService, StartRun, WaitForRun } from '../runs';
import type { NameLocks } from './name-locks';
import type { Suspensions } from './suspensions';
import type { Bind } from '../../access/bind';
import type { DagCatalog } from './dag-catalog';
import { bindDagInsightRoutes } from './dag-insight-routes';
import type { DagEditor } from './dag-editor';
import { bindDagFileRoutes, bindDagLabelRoutes } from './dag-file-routes';
import type { DagFileStore } from './dag-file-store';
import { bindDagHistoryRoutes } from './dag-history-routes';
import { bindDagRevisionRoutes } from './dag-revision-routes';
import { bindDagRoutes } from './dag-routes';
import type { DagService } from './dag-service';
import { bindStartRoutes } from './start-routes';

export interface DefinitionPorts {
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly catalog: DagCatalog;
  readonly suspensions: Suspensions;
  readonly locks: NameLocks;
  readonly revisions: RevisionLog;
  readonly dagRevisions: DagRevisionRepository;
  readonly dagsFolder: string;
  readonly dags: DagService;
  readonly editor: DagEditor;
  readonly runs: DagRunRepository;
  readonly dagRuns: DagRunService;
  readonly startRun: StartRun;
  readonly waitForRun: WaitForRun;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
}

/** Binds all operations below `/dags`. Labels come first, because their path could be the path of a DAG. */
export function bindDefinitionRoutes(bind: Bind, ports: DefinitionPorts): void {
  bindDagLabelRoutes(bind, ports.catalog);
  bindDagRoutes(bind, ports.dags);
  bindStartRoutes(bind, ports);
  bindDagFileRoutes(bind, ports.editor);
  bindDagHistoryRoutes(bind, ports);
  bindDagInsightRoutes(bind, ports);
  bindDagRevisionRoutes(bind, ports);
}
