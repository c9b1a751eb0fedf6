import { Button } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { useEditorMessages } from './editor-messages';
import type { Conflict } from './use-spec-editing';
import { TextDiff } from './view/lazy-text-diff';
import styles from './editor.module.css';

export interface ConflictViewProps {
  readonly conflict: Conflict;
  readonly isSaving: boolean;
  readonly onResolve: (text: string, next: 'save' | 'edit') => void;
}

/** Both texts, with the merged changes of both; nothing is lost without being shown. */
export function ConflictView({ conflict: { theirs, merged }, isSaving, onResolve }: ConflictViewProps): ReactElement {
  const t = useEditorMessages();
  const [text, setText] = useState(merged.text);
  return (
    <section aria-label={t('editor.conflict')} className={styles.conflict}>
      <div role="alert" className={styles.conflictHead}>
        <h2>{t('editor.conflict')}</h2>
        <p>{t('editor.conflict.merged', { conflicts: merged.conflicts })}</p>
        <Button onPress={() => onResolve(text, 'edit')}>{t('editor.conflict.edit')}</Button>
        <Button variant="primary" isDisabled={isSaving} onPress={() => onResolve(text, 'save')}>
          {t('editor.conflict.save')}
        </Button>
      </div>
      <TextDiff
        {...{ before: theirs.text, beforeLabel: t('editor.conflict.theirs') }}
        {...{ after: merged.text, afterLabel: t('editor.conflict.result'), onChange: setText }}
      />
    </section>
  );
}
