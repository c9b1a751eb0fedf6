import { Tabs } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import { useMemo, useState, type ReactElement } from 'react';
import { StepGraph } from '../graph';
import { initialTexts, type FormTexts } from '../parts/schema-form/form-values';
import { readSchemaFields } from '../parts/schema-form/schema-fields';
import { SchemaForm } from '../parts/schema-form/schema-form';
import { useEditorMessages } from './editor-messages';
import type { SpecMeaning } from './language/check-spec';
import styles from './editor.module.css';

export interface SpecPreviewProps {
  readonly name: string;
  readonly meaning: SpecMeaning;
  readonly onGoToStep: (name: string) => void;
}

/** A preview of the unsaved text: its steps, the form of its parameters, its next runs. */
export function SpecPreview({ name, meaning, onGoToStep }: SpecPreviewProps): ReactElement {
  const t = useEditorMessages();
  const [shown, show] = useState<'graph' | 'params' | 'fires'>('graph');
  return (
    <Tabs
      isFilling
      label={t('editor.preview')}
      selected={shown}
      onSelect={show}
      tabs={[
        {
          id: 'graph',
          label: t('editor.preview.graph'),
          content: <Graph name={name} meaning={meaning} onGoToStep={onGoToStep} />,
        },
        { id: 'params', label: t('editor.preview.params'), content: <Params schema={meaning.paramsSchema} /> },
        { id: 'fires', label: t('editor.preview.fires'), content: <Fires fires={meaning.fires} /> },
      ]}
    />
  );
}

function Graph({ name, meaning: { steps }, onGoToStep }: SpecPreviewProps): ReactElement {
  const t = useEditorMessages();
  const [selected, select] = useState<string>();
  const graph = useMemo(
    () => steps.map((step) => ({ name: step.name, depends: step.depends, kind: step.work })),
    [steps],
  );
  if (steps.length === 0) return <p className={styles.none}>{t('editor.preview.noSteps')}</p>;
  return (
    <StepGraph
      label={name}
      steps={graph}
      selected={selected}
      onSelect={(step) => {
        select(step);
        onGoToStep(step);
      }}
    />
  );
}

function Params({ schema }: { readonly schema: SpecMeaning['paramsSchema'] }): ReactElement {
  const t = useEditorMessages();
  const fields = useMemo(() => readSchemaFields(schema), [schema]);
  const [typed, setTyped] = useState<FormTexts>({});
  if (fields.length === 0) return <p className={styles.none}>{t('editor.preview.noParams')}</p>;
  return (
    <div className={styles.form}>
      <SchemaForm fields={fields} texts={{ ...initialTexts(fields), ...typed }} onChange={setTyped} problems={{}} />
    </div>
  );
}

function Fires({ fires }: { readonly fires: readonly string[] }): ReactElement {
  const t = useEditorMessages();
  if (fires.length === 0) return <p className={styles.none}>{t('editor.preview.noFires')}</p>;
  return (
    <ol className={styles.fires}>
      {fires.map((time) => (
        <li key={time}>
          <Time value={time} />
        </li>
      ))}
    </ol>
  );
}
