import { yaml } from '@codemirror/lang-yaml';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { ReactElement } from 'react';
import { readingExtensions } from './create-editor';
import { useShadowHost } from './shadow-host';
import styles from '../editor.module.css';

export interface TextDiffProps {
  readonly before: string;
  readonly beforeLabel: string;
  readonly after: string;
  readonly afterLabel: string;
  /** Where the right side may be changed; parts of the left one can be taken over. */
  readonly onChange?: (text: string) => void;
}

/** Two texts beside each other, with what differs; what is equal is folded. */
export function TextDiff({ before, beforeLabel, after, afterLabel, onChange }: TextDiffProps): ReactElement {
  const host = useShadowHost((root) => {
    const common = [yaml(), readingExtensions, EditorView.lineWrapping];
    const readOnly = [EditorState.readOnly.of(true)];
    const label = (text: string) => EditorView.contentAttributes.of({ 'aria-label': text, tabindex: '0' });
    const merge = new MergeView({
      ...{ parent: root, root, collapseUnchanged: { margin: 3, minSize: 6 } },
      a: { doc: before, extensions: [common, readOnly, label(beforeLabel)] },
      b: {
        doc: after,
        extensions: [
          ...[common, label(afterLabel), onChange === undefined ? readOnly : []],
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) onChange?.(state.doc.toString());
          }),
        ],
      },
      ...(onChange === undefined ? {} : { revertControls: 'a-to-b' as const }),
    });
    return () => merge.destroy();
  });
  return (
    <div className={styles.diff}>
      <div className={styles.diffHeads} aria-hidden>
        <span>{beforeLabel}</span>
        <span>{afterLabel}</span>
      </div>
      <div ref={host} className={styles.diffTexts} />
    </div>
  );
}
