import path from 'node:path';
import type { Dag } from '@weir/workflow-spec';
import type { DagRun } from '@weir/workflow-engine';
import type { BaseText, DagParser } from '../../dag-parser';

/** The DAG of a run with the others of its text: that of a child may be one of them. */
export async function parseStored(
  parser: DagParser,
  run: Pick<DagRun, 'specText' | 'dagName' | 'fileName' | 'baseTexts' | 'depth'>,
) {
  const isChild = run.depth > 0;
  const result = await parser.parse(run.specText, {
    name: isChild ? nameOfFile(run) : run.dagName,
    overrideName: !isChild,
    bases: toBases(run),
  });
  const local = isChild ? result.localDags.find(({ name }) => name === run.dagName) : undefined;
  return { ...result, dag: isChild ? withoutInherited(local ?? result.dag) : result.dag };
}

/** The name that the file gives its first DAG when that has none of its own. */
function nameOfFile({ fileName, dagName }: Pick<DagRun, 'fileName' | 'dagName'>): string {
  return fileName === null ? dagName : path.basename(fileName).replace(/\.ya?ml$/, '');
}

/** What a base configuration gives to every DAG is done once, for the run that the others belong to. */
function withoutInherited(dag: Dag): Dag {
  const { handlers = {}, inheritedHandlers = [] } = dag;
  if (inheritedHandlers.length === 0) return dag;
  const own = Object.entries(handlers).filter(([kind]) => !(inheritedHandlers as readonly string[]).includes(kind));
  return { ...dag, handlers: Object.fromEntries(own) };
}

/** What the text of a run is read with. */
function toBases({ baseTexts }: Pick<DagRun, 'baseTexts'>): readonly BaseText[] {
  return baseTexts.map((text) => ({ label: 'of the run', text }));
}
