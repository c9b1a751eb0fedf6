import { hasErrors, type Schedule } from '@weir/workflow-spec';
import { nextRunAt } from '@weir/workflow-spec/schedule';
import { maxPerPage } from '@weir/workflow-contract';
import { systemClock } from '../../adapters/clock';
import { systemRandom } from '../../adapters/random-source';
import { namedCalendars } from '../../features/calendars';
import { createDagFileStore } from '../../features/dags';
import { formatErrors } from '../../dag-parser/spec-errors';
import type { WorkflowClient } from '@weir/workflow-client';
import { createInlineSpecReader } from '../shared/inline-spec-reader';
import type { StoreCommand } from '../shared/program-host';
import type { ListFormat } from '../shared/formats';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';
import { withApi } from '../shared/with-api';

interface ListedDag {
  readonly fileName: string;
  readonly name: string;
  readonly isSuspended: boolean;
  readonly nextRun: Date | undefined;
  readonly errors: readonly string[];
}

/** Lists the files of the DAGs folder, with their errors and the time of the next start. Returns the exit code. */
export async function listDagFiles(options: StoreCommand & { readonly format: ListFormat }): Promise<number> {
  const { config, printError } = options;
  const store = createDagFileStore({ folder: config.dags.folder, random: systemRandom });
  const specs = createInlineSpecReader(config);
  const served = await withApi(options, listServed);
  const { fileNames, problems } = await store.list();
  const dags: ListedDag[] = [];
  for (const fileName of fileNames) {
    const file = await store.read(fileName);
    // The file was removed after the folder was read.
    if (file === undefined) continue;
    const isSuspended = served.get(fileName)?.suspended === true;
    const { dag, findings } = await specs.parse(file.kind === 'text' ? file.text : '', { name: fileName });
    const errors = file.kind === 'text' ? formatErrors(findings) : [file.problem];
    const isScheduled = !isSuspended && file.kind === 'text' && !hasErrors(findings);
    const nextRun = isScheduled ? findNextRun(dag.schedule, served.get(fileName)?.nextRun, config.timeZone) : undefined;
    dags.push({ fileName, name: dag.name, isSuspended, nextRun, errors });
  }
  const table = (): string =>
    [formatTable([['FILE', 'DAG', 'STATE', 'NEXT RUN'], ...dags.map(toRow)]), ...dags.flatMap(errorLines)].join('\n');
  printList({ value: { dags, problems }, table }, options);
  for (const problem of problems) printError(`weir: ${problem}`);
  return 0;
}

/** Calendars are known to the server only; all other times are calculated from the file, which may have just changed. */
function findNextRun(schedule: readonly Schedule[], served: Date | undefined, timeZone: string | undefined) {
  return namedCalendars(schedule).size > 0 ? served : nextRunAt(schedule, systemClock.now(), timeZone);
}

interface ServedDag {
  readonly suspended: boolean;
  readonly nextRun: Date | undefined;
}

/** Returns what the server knows of each file. */
async function listServed(client: WorkflowClient): Promise<ReadonlyMap<string, ServedDag>> {
  const served = new Map<string, ServedDag>();
  for (let page = 1, totalPages = 1; page <= totalPages; page += 1) {
    const { dags, pagination } = (await client.GET('/dags', { params: { query: { page, perPage: maxPerPage } } })).data;
    for (const { fileName, suspended, nextRun } of dags) {
      served.set(fileName, { suspended, nextRun: nextRun === undefined ? undefined : new Date(nextRun) });
    }
    totalPages = pagination.totalPages;
  }
  return served;
}

function toRow({ fileName, name, isSuspended, nextRun, errors }: ListedDag): readonly string[] {
  const state = errors.length > 0 ? 'has errors' : isSuspended ? 'suspended' : 'ok';
  return [fileName, name, state, nextRun?.toISOString() ?? '-'];
}

function errorLines({ fileName, errors }: ListedDag): readonly string[] {
  return errors.map((error) => `  - ${fileName}: ${error}`);
}
