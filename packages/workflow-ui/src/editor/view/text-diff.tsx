import { yaml } from '@codemirror/lang-yaml';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { ReactElement } from 'react';
import { readingExtensions } from './create-editor';
import { useShadowHost } from './shadow-host';
import styles from './text-diff.module.css';

const added = 'light-dark(#e6f5ef, #10291f)';
const removed = 'light-dark(#fdecee, #33151a)';
const addedText = 'light-dark(#bfe8d8, #1c5440)';
const removedText = 'light-dark(#f6c6cd, #6b2630)';

/** The styles of differences; the colours follow the theme of the page. */
const mergeTheme = EditorView.theme({
  '.cm-changedLine': { backgroundColor: added },
  '.cm-changedText': { background: addedText },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: removed },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: removedText },
  '.cm-collapsedLines': {
    background: 'var(--surface)',
    color: 'var(--text-muted)',
    fontFamily: 'var(--font)',
    padding: '2px 12px',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '""' },
  '.cm-merge-revert button': { color: 'var(--text)' },
});

export interface TextDiffProps {
  readonly before: string;
  readonly beforeLabel: string;
  readonly after: string;
  readonly afterLabel: string;
  /** Whether there is no room for two texts side by side. */
  readonly isNarrow: boolean;
  /** Given where the right side may be changed; parts of the left one can be copied to it. */
  readonly onChange?: (text: string) => void;
}

/** Two texts side by side, or as one, with their differences; equal parts are folded. */
export function TextDiff(props: TextDiffProps): ReactElement {
  const { beforeLabel, afterLabel, isNarrow, onChange } = props;
  const isUnified = isNarrow && onChange === undefined;
  const host = useShadowHost((root) => (isUnified ? drawUnified(root, props) : drawBeside(root, props)));
  return (
    <div className={styles.diff}>
      <div className={styles.heads} aria-hidden>
        <span>{beforeLabel}</span>
        {isUnified ? <span>→</span> : null}
        <span>{afterLabel}</span>
      </div>
      <div ref={host} className={styles.texts} />
    </div>
  );
}

const collapseUnchanged = { margin: 3, minSize: 6 };
const common: Extension = [yaml(), readingExtensions, mergeTheme, EditorView.lineWrapping];
const readOnly = EditorState.readOnly.of(true);
const named = (label: string): Extension => EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });

function drawUnified(root: ShadowRoot, { before, after, afterLabel }: TextDiffProps): () => void {
  const view = new EditorView({
    parent: root,
    root,
    doc: after,
    extensions: [
      ...[common, readOnly, named(afterLabel)],
      unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged }),
    ],
  });
  return () => view.destroy();
}

function drawBeside(root: ShadowRoot, props: TextDiffProps): () => void {
  const { before, beforeLabel, after, afterLabel, onChange } = props;
  const merge = new MergeView({
    parent: root,
    root,
    collapseUnchanged,
    a: { doc: before, extensions: [common, readOnly, named(beforeLabel)] },
    b: {
      doc: after,
      extensions: [
        ...[common, named(afterLabel), onChange === undefined ? readOnly : []],
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange?.(state.doc.toString());
        }),
      ],
    },
    ...(onChange === undefined ? {} : { revertControls: 'a-to-b' as const }),
  });
  return () => merge.destroy();
}
