import { useEffect, useMemo, useState } from 'react';
import { useParamsSchema } from '../../../parts/start/start-data';
import { initialTexts, readForm, type FormResult, type FormTexts } from '../../../parts/schema-form/form-values';
import { readSchemaFields, type SchemaField } from '../../../parts/schema-form/schema-fields';
import type { RunAddress } from '../../../parts/run/run-address';
import type { Run } from '../../../parts/run/run-data';
import { useRunSpec } from '../../../parts/run-spec';
import { usePresentSpec, useSpecPreview, type RerunRequest } from './rerun-data';
import { keptSteps, planRetry, planWithSpec, type RerunPlan, type RerunScope, type SpecPreview } from './rerun-plan';

export type SpecChoice = 'stored' | 'present' | 'edited';

export interface RerunForm {
  readonly scope: RerunScope;
  readonly setScope: (scope: RerunScope) => void;
  readonly step: string;
  readonly setStep: (step: string) => void;
  readonly spec: SpecChoice;
  readonly setSpec: (spec: SpecChoice) => void;
  /** The edited text; `undefined` until it was read. */
  readonly text: string | undefined;
  readonly setText: (text: string) => void;
  /** Whether the parameters are changed, and their new values. */
  readonly hasParams: boolean;
  readonly setHasParams: (hasParams: boolean) => void;
  readonly params: ParamsForm;
  readonly plan: RerunPlan | undefined;
  /** The errors of the spec. */
  readonly errors: readonly string[];
  /** `undefined` as long as a value is missing or wrong. */
  readonly request: RerunRequest | undefined;
}

export interface ParamsForm {
  /** The fields of the present DAG file; empty for another spec, whose parameters are given as a text. */
  readonly fields: readonly SchemaField[];
  readonly texts: FormTexts;
  readonly setTexts: (texts: FormTexts) => void;
  readonly problems: FormResult['problems'];
  readonly text: string;
  readonly setText: (text: string) => void;
}

export interface RerunFormOptions {
  readonly address: RunAddress;
  readonly run: Run;
}

/** Returns the choices of the dialog with their consequences. */
export function useRerunForm({ address, run }: RerunFormOptions): RerunForm {
  const hasFailed = run.statusLabel !== 'succeeded';
  const [scope, setScope] = useState<RerunScope>(hasFailed ? 'failed' : 'all');
  const [step, setStep] = useState(run.nodes[0]?.step.name ?? '');
  const [spec, setSpec] = useState<SpecChoice>('stored');
  const [hasParams, setHasParams] = useState(false);
  const stored = useRunSpec(address);
  const present = usePresentSpec(run);
  const [edited, setText] = useState<string | undefined>();
  const text = edited ?? stored.data;
  const params = useParamsForm(run, hasParams && spec === 'present');
  const specText = useSettled(spec === 'present' ? present.data : spec === 'edited' ? text : undefined);
  const needsPreview =
    !hasParams && spec !== 'stored' && scope !== 'only-step' && !(spec === 'present' && scope === 'all');
  const preview = useSpecPreview(address, needsPreview ? specText : undefined);
  const choice = { scope, step };
  const checked = needsPreview && specText !== undefined ? preview.data : undefined;
  const errors = [...(checked?.errors ?? []), ...(preview.error === null ? [] : [preview.error.message])];
  const facts = { run, choice, spec, hasParams, params, stored: stored.data, text, specText, checked };
  return {
    scope,
    setScope,
    step,
    setStep,
    spec,
    setSpec,
    text,
    setText,
    hasParams,
    setHasParams,
    params,
    errors: needsPreview ? errors : [],
    plan: toPlan(facts),
    request: errors.length > 0 && needsPreview ? undefined : toRequest(facts),
  };
}

interface Facts {
  readonly run: Run;
  readonly choice: { readonly scope: RerunScope; readonly step: string };
  readonly spec: SpecChoice;
  readonly hasParams: boolean;
  readonly params: ParamsForm;
  readonly stored: string | undefined;
  readonly text: string | undefined;
  readonly specText: string | undefined;
  readonly checked: (SpecPreview & { readonly errors: readonly string[] }) | undefined;
}

function toPlan({ run, choice, spec, hasParams, checked }: Facts): RerunPlan | undefined {
  if (choice.scope === 'only-step') return planRetry(run.nodes, choice);
  if (hasParams || spec === 'stored' || (spec === 'present' && choice.scope === 'all')) {
    return planRetry(run.nodes, hasParams ? { scope: 'all', step: '' } : choice);
  }
  return checked === undefined || checked.errors.length > 0 ? undefined : planWithSpec(checked, choice);
}

function toRequest(facts: Facts): RerunRequest | undefined {
  const { run, choice, spec, hasParams, stored, text, specText, checked } = facts;
  const { scope, step } = choice;
  if (hasParams || (scope === 'only-step' && spec !== 'stored')) {
    return toStart(facts, spec === 'edited' ? text : stored);
  }
  if (scope === 'all' && spec !== 'edited') return { kind: 'reschedule', usesPresentSpec: spec === 'present' };
  if (spec === 'stored') {
    const hasWork = planRetry(run.nodes, choice).runs.length > 0;
    return scope === 'all' || !hasWork ? undefined : { kind: 'retry', scope, step };
  }
  if (checked === undefined || specText === undefined) return undefined;
  return { kind: 'edited', spec: specText, skipSteps: keptSteps(checked, choice) };
}

function toStart(facts: Facts, specText: string | undefined): RerunRequest | undefined {
  const { run, spec, choice, hasParams, params } = facts;
  const onlyStep = choice.scope === 'only-step' ? choice.step : undefined;
  const text = hasParams ? params.text : (run.params ?? '');
  if (spec !== 'present') {
    return specText === undefined ? undefined : { kind: 'start-spec', spec: specText, params: text, onlyStep };
  }
  const fileName = run.sourceFileName;
  if (fileName === undefined || (hasParams && Object.keys(params.problems).length > 0)) return undefined;
  const { values } = readForm(params.fields, params.texts);
  return { kind: 'start', fileName, params: hasParams ? JSON.stringify(values) : text, onlyStep };
}

function useParamsForm(run: Run, isAsked: boolean): ParamsForm {
  const schema = useParamsSchema(run.sourceFileName ?? '', isAsked && run.sourceFileName !== undefined).data?.schema;
  const fields = useMemo(() => (schema === undefined ? [] : readSchemaFields(schema)), [schema]);
  const [changed, setTexts] = useState<FormTexts | undefined>();
  const [text, setText] = useState(run.params ?? '');
  const texts = changed ?? initialTexts(fields, parseParams(run.params));
  return { fields, texts, setTexts, problems: readForm(fields, texts).problems, text, setText };
}

function parseParams(params: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(params ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const settleMs = 400;

/** Returns the value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settled === undefined ? 0 : settleMs);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
