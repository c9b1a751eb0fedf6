import type { DagRunEnvironmentResponse } from '@weir/workflow-contract/schemas';
import { hostEnvironment, seenEnvironment, withheld, type SeenStep } from '@weir/workflow-engine';
import { declaredParams } from '@weir/workflow-spec/values';

export type EnvironmentSources = Parameters<typeof seenEnvironment>[0];

type Variable = DagRunEnvironmentResponse['variables'][number];
type Entry = Pick<Variable, 'name' | 'source' | 'step' | 'value' | 'profile'>;

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const maxValueLength = 4_096;
/** Only the server knows these values: a person who may see a run may not see them. */
const hiddenSources: ReadonlySet<Variable['source']> = new Set(['host', 'base', 'file', 'profile', 'secret']);

/**
 * Lists the variables of a run and its steps, or of one step, in the order in which the engine merges them, with the
 * known facts about their values.
 */
export function listEnvironment(sources: EnvironmentSources, asked?: SeenStep): readonly Variable[] {
  const { run, dag, ownDag, hostEnv, passthrough } = sources;
  const seen = seenEnvironment(sources, asked);
  const own = new Set(ownDag.env.map(({ name }) => name));
  const params = declaredParams(dag, run.resolvedParams).filter(({ name }) => variableName.test(name));
  const steps = dag.steps.filter((_, index) => asked === undefined || index === asked.index);
  const entries: readonly Entry[] = [
    ...Object.keys(hostEnvironment(hostEnv, passthrough)).map((name) => ({ name, source: 'host' as const })),
    ...ofProfiles(run, true),
    ...params.map(({ name, value }) => ({ name, source: 'parameter' as const, value })),
    ...dag.env.map(({ name, value }) =>
      own.has(name) ? { name, source: 'dag' as const, value } : { name, source: 'base' as const },
    ),
    ...run.fileVariables.map((name) => ({ name, source: 'file' as const })),
    ...ofProfiles(run, false),
    ...(dag.secrets ?? []).map(({ name }) => ({ name, source: 'secret' as const, value: withheld })),
    ...Object.entries(seen.run).map(([name, value]) => ({ name, source: 'run' as const, value })),
    ...seen.published.map((name) => ({ name, source: 'output' as const })),
    ...steps.flatMap((step) =>
      step.env.map(({ name, value }) => ({ name, source: 'step' as const, step: step.name, value })),
    ),
  ];
  const isMerged = ({ step }: Entry): boolean => step === undefined || asked !== undefined;
  const last = new Map(entries.flatMap((entry, index) => (isMerged(entry) ? [[entry.name, index]] : [])));
  return entries.map((entry, index) => {
    const isReplaced = isMerged(entry) && last.get(entry.name) !== index;
    const isShown = isMerged(entry) && !isReplaced && !hiddenSources.has(entry.source);
    return { ...entry, ...(isShown ? cut(seen.values[entry.name]) : {}), isReplaced };
  });
}

/** Whoever may see a run need not be allowed to see its profile. */
function ofProfiles({ profileLayers }: EnvironmentSources['run'], isDefault: boolean): readonly Entry[] {
  return profileLayers
    .filter((layer) => layer.isDefault === isDefault)
    .flatMap(({ name: profile, variables, secrets }) =>
      [...Object.keys(variables), ...secrets].map((name) => ({ name, source: 'profile' as const, profile })),
    );
}

function cut(value: string | undefined): Pick<Variable, 'resolved' | 'isCut'> {
  if (value === undefined) return {};
  return value.length > maxValueLength
    ? { resolved: value.slice(0, maxValueLength), isCut: true }
    : { resolved: value };
}
