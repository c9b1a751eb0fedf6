import { parseBaseConfig, parseDag, type BaseConfig, type Dag, type Finding, type Step } from '@weir/workflow-spec';
import { paramsJsonSchema } from '@weir/workflow-spec/editor';
import { createScheduleTimes } from '@weir/workflow-spec/schedule';
import type { SpecKind } from './spec-kind';

export interface SpecStep {
  readonly name: string;
  readonly id: string;
  readonly depends: readonly string[];
  /** What it does, in a word. */
  readonly work: string;
  readonly outputs: readonly string[];
}

/** What a text means, as far as it could be read. */
export interface SpecMeaning {
  /** Those of the server: it is the same code. */
  readonly findings: readonly Finding[];
  readonly steps: readonly SpecStep[];
  readonly params: readonly string[];
  readonly consts: readonly string[];
  /** A JSON Schema of an object. */
  readonly paramsSchema: Readonly<Record<string, unknown>>;
  /** The next times at which the schedule is due, as ISO dates. */
  readonly fires: readonly string[];
}

const shownFires = 5;

export interface CheckRequest {
  readonly kind: SpecKind;
  readonly text: string;
  /** Of a DAG that does not name itself. */
  readonly name: string;
  /** The base configuration that the DAG inherits. */
  readonly base?: string | undefined;
}

/** Reads a text as the server does. Never throws. */
export function checkSpec({ kind, text, name, base }: CheckRequest, now: Date): SpecMeaning {
  if (kind === 'base') {
    const { findings } = parseBaseConfig(text);
    return { findings, steps: [], params: [], consts: [], paramsSchema: {}, fires: [] };
  }
  const inherited: BaseConfig | undefined = base === undefined ? undefined : parseBaseConfig(base).base;
  const { dag, findings } = parseDag(text, { name, ...(inherited === undefined ? {} : { base: inherited }) });
  return {
    findings,
    steps: dag.steps.map(toStep),
    params: dag.params.flatMap((param) => param.name ?? []),
    consts: (dag.consts ?? []).map((constant) => constant.name),
    paramsSchema: paramsJsonSchema(dag),
    fires: firesOf(dag, now),
  };
}

function toStep({ name, id, depends, run, outputs, output }: Step): SpecStep {
  const fields = output?.kind === 'fields' ? output.fields : [];
  return {
    name,
    id: id ?? name,
    depends,
    work: workOf(run),
    outputs: [...(outputs ?? []), ...fields].map((each) => each.name),
  };
}

function workOf(run: Step['run']): string {
  if (run.kind === 'commands') return run.commands[0]?.split('\n')[0] ?? '';
  return run.kind === 'action' ? run.action : run.kind;
}

function firesOf({ schedule }: Dag, now: Date): readonly string[] {
  const times = createScheduleTimes();
  const fires = times.occurrences(schedule, { after: now, count: shownFires });
  return fires.slice(0, shownFires).map(({ at }) => at.toISOString());
}
