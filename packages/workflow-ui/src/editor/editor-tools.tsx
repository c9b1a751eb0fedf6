import { Button, SelectField, ToggleButton } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useEditorMessages } from './editor-messages';
import type { SpecStep } from './language/check-spec';
import type { SpecEditing } from './use-spec-editing';
import styles from './editor.module.css';

export interface EditorToolsProps {
  readonly editing: SpecEditing;
  readonly steps: readonly SpecStep[];
  readonly showsChanges: boolean;
  readonly onShowChanges: (shows: boolean) => void;
  readonly onGoToStep: (name: string) => void;
  readonly onFormat: () => void;
  readonly onSave: () => void;
  /** The reason why the caller may not save; missing where it may. */
  readonly refusal: string | undefined;
  /** Missing where the text cannot run. */
  readonly start: { readonly onPress: () => void; readonly refusal: string | undefined } | undefined;
}

/** The actions on the text, and whether it is stored. */
export function EditorTools(props: EditorToolsProps): ReactElement {
  const { editing, steps, showsChanges, onShowChanges, onGoToStep, onFormat, onSave, refusal, start } = props;
  const t = useEditorMessages();
  const { isChanged, isSaving, isDraftKept } = editing;
  const unsaved = isDraftKept ? t('editor.unsaved') : t('editor.noDraft');
  return (
    <div className={styles.tools}>
      <span role="status" className={styles.state}>
        {isSaving ? t('editor.saving') : isChanged ? unsaved : t('editor.saved')}
      </span>
      {steps.length === 0 ? null : (
        <SelectField
          label={t('editor.goToStep')}
          isLabelHidden
          value=""
          options={[
            { value: '', label: t('editor.goToStep') },
            ...steps.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChange={(name) => (name === '' ? undefined : onGoToStep(name))}
        />
      )}
      <Button variant="quiet" onPress={onFormat}>
        {t('editor.format')}
      </Button>
      <ToggleButton isSelected={showsChanges} isDisabled={!isChanged} onChange={onShowChanges}>
        {t('editor.changes')}
      </ToggleButton>
      {start === undefined ? null : (
        <Button disabledReason={start.refusal} onPress={start.onPress}>
          {t('editor.start')}
        </Button>
      )}
      <Button variant="primary" disabledReason={refusal} isDisabled={!isChanged || isSaving} onPress={onSave}>
        {t('editor.save')}
      </Button>
    </div>
  );
}
