import { QueryPanel } from '@weir/ui-kit/app';
import { useMemo, type ReactElement } from 'react';
import { useEditorMessages } from '../../editor/editor-messages';
import { baseDocument } from '../../editor/server-documents';
import { SpecEditor } from '../../editor/spec-editor';
import { useStoredText } from '../../editor/use-stored-text';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import styles from './base-config.module.css';

/** The settings that all DAGs inherit, in the same editor as DAGs. */
export function BaseConfigScreen(): ReactElement {
  const t = useEditorMessages();
  const document = useMemo(() => baseDocument(), []);
  const stored = useStoredText(document);
  const refusal = useRefusal('updateBaseConfig');
  return (
    <div className={styles.screen}>
      <ScreenHeader title={t('editor.base.title')} note={t('editor.base.note')} />
      <QueryPanel query={stored}>
        {(text) => <SpecEditor {...{ document, stored: text, refusal }} kind="base" name="base" />}
      </QueryPanel>
    </div>
  );
}
