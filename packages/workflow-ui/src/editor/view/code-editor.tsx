import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef, type ReactElement, type RefObject } from 'react';
import type { Finding } from '@weir/workflow-spec';
import type { Language } from '../language/language';
import { createEditor } from './create-editor';
import { useShadowHost } from './shadow-host';
import { showFindings, specLanguage } from './spec-language';
import styles from '../editor.module.css';

export interface CodeEditorProps {
  readonly label: string;
  /** The initial text; afterwards the editor owns the text. */
  readonly initialText: string;
  readonly isReadOnly: boolean;
  readonly language: Language;
  readonly findings: readonly Finding[];
  readonly onChange: (text: string) => void;
  /** Called for Ctrl-S or ⌘S. */
  readonly onSave: () => void;
  readonly view: RefObject<EditorView | undefined>;
}

/** The text of a spec, with its findings at their locations. */
export function CodeEditor(props: CodeEditorProps): ReactElement {
  const { findings, view } = props;
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const host = useShadowHost((parent) => {
    const { label, initialText, isReadOnly, language } = props;
    const save = keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (latest.current.onSave(), true) }]);
    const created = createEditor({
      parent,
      label,
      text: initialText,
      isReadOnly,
      extensions: [save, specLanguage(language)],
      onChange: (text) => latest.current.onChange(text),
    });
    view.current = created;
    return () => {
      view.current = undefined;
      created.destroy();
    };
  });
  useEffect(() => {
    if (view.current !== undefined) showFindings(view.current, findings);
  }, [view, findings]);
  useEffect(() => {
    const { current } = view;
    // The list of problems may now cover the line of the cursor.
    if (current?.hasFocus === true)
      current.dispatch({ effects: EditorView.scrollIntoView(current.state.selection.main.head) });
  }, [view, findings.length]);
  return <div ref={host} className={styles.code} />;
}
