import { RadioField, SelectField, TextAreaField } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { SchemaForm } from '../../../parts/schema-form/schema-form';
import type { Run } from '../../../parts/run/run-data';
import { useRunMessages } from '../../../parts/run/run-messages';
import { useRerunMessages } from './rerun-messages';
import type { RerunForm } from './use-rerun-form';
import styles from './rerun-dialog.module.css';

export interface RerunChoicesProps {
  readonly form: RerunForm;
  readonly run: Run;
}

/** The choices of steps, spec and parameters. */
export function RerunChoices({ form, run }: RerunChoicesProps): ReactElement {
  const t = useRunMessages();
  const r = useRerunMessages();
  const { scope, step, spec, hasParams, text } = form;
  return (
    <>
      <div className={styles.choices}>
        <ScopeChoice {...{ form, run }} />
        <SpecChoice {...{ form, run }} />
        <ParamsChoice {...{ form, run }} />
      </div>
      {scope === 'only-step' || (!hasParams && scope === 'from-step') ? (
        <SelectField
          label={t('run.step')}
          value={step}
          options={run.nodes.map((node) => ({ value: node.step.name, label: node.step.name }))}
          onChange={form.setStep}
        />
      ) : null}
      {spec === 'edited' && text !== undefined ? (
        <TextAreaField
          label={r('run.rerun.text')}
          isMonospaced
          rows={14}
          spellCheck="false"
          value={text}
          onChange={form.setText}
          error={form.errors.length === 0 ? undefined : form.errors.join('\n')}
          validationBehavior="aria"
        />
      ) : null}
      {hasParams ? <ParamsInput form={form} /> : null}
    </>
  );
}

function ParamsInput({ form: { spec, params } }: { readonly form: RerunForm }): ReactElement {
  const r = useRerunMessages();
  if (spec === 'present') {
    return <SchemaForm {...params} onChange={params.setTexts} />;
  }
  return (
    <TextAreaField
      label={r('run.rerun.paramsText')}
      description={r('run.rerun.paramsText.hint')}
      isMonospaced
      rows={4}
      value={params.text}
      onChange={params.setText}
    />
  );
}

function ScopeChoice({ form: { scope, setScope, hasParams }, run }: RerunChoicesProps): ReactElement {
  const t = useRunMessages();
  const r = useRerunMessages();
  const hasFailed = run.statusLabel !== 'succeeded';
  const description = hasParams ? r('run.rerun.onlyWhole') : undefined;
  return (
    <RadioField
      label={r('run.rerun.scope')}
      value={hasParams && scope !== 'only-step' ? 'all' : scope}
      onChange={setScope}
      options={[
        {
          value: 'failed',
          label: r('run.rerun.failed'),
          description: hasFailed ? description : t('run.nothingToRetry'),
          isDisabled: hasParams || !hasFailed,
        },
        { value: 'from-step', label: r('run.rerun.fromStep'), description, isDisabled: hasParams },
        { value: 'only-step', label: r('run.rerun.onlyStep'), description: r('run.rerun.onlyStep.hint') },
        { value: 'all', label: r('run.rerun.all'), description: r('run.rerun.all.hint') },
      ]}
    />
  );
}

function SpecChoice({ form: { spec, setSpec }, run }: RerunChoicesProps): ReactElement {
  const t = useRunMessages();
  const r = useRerunMessages();
  const isGone = run.sourceFileName === undefined;
  return (
    <RadioField
      label={r('run.rerun.spec')}
      value={spec}
      onChange={setSpec}
      options={[
        { value: 'stored', label: r('run.rerun.stored'), description: r('run.rerun.stored.hint') },
        {
          value: 'present',
          label: r('run.rerun.present'),
          description: isGone ? t('run.rerun.noFile') : r('run.rerun.present.hint'),
          isDisabled: isGone,
        },
        { value: 'edited', label: r('run.rerun.edited'), description: r('run.rerun.edited.hint') },
      ]}
    />
  );
}

function ParamsChoice({ form: { hasParams, setHasParams }, run }: RerunChoicesProps): ReactElement {
  const t = useRunMessages();
  const r = useRerunMessages();
  return (
    <RadioField
      label={t('run.params')}
      value={hasParams ? 'changed' : 'same'}
      onChange={(value) => setHasParams(value === 'changed')}
      options={[
        { value: 'same', label: r('run.rerun.sameParams'), description: run.params },
        { value: 'changed', label: r('run.rerun.changedParams'), description: r('run.rerun.changedParams.hint') },
      ]}
    />
  );
}
