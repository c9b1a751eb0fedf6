import { Button, Skeleton, SplitPane, useToast } from '@weir/ui-kit';
import type { EditorView } from '@codemirror/view';
import { Suspense, useCallback, useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { EditorTools } from './editor-tools';
import { useEditorMessages } from './editor-messages';
import type { SpecMeaning } from './language/check-spec';
import type { Language } from './language/language';
import type { SpecKind } from './language/spec-kind';
import { ProblemList } from './problem-list';
import type { SpecDocument, StoredText } from './spec-document';
import { SpecPreview } from './spec-preview';
import { useLanguage, useMeaning } from './use-meaning';
import { useSpecEditing, type SpecEditing } from './use-spec-editing';
import { CodeEditor } from './view/code-editor';
import { applyFix, goToLine, goToPlace } from './view/spec-language';
import { TextDiff } from './view/lazy-text-diff';
import styles from './editor.module.css';
import { lazyPart } from '../parts/lazy-part';

// Conflicts are rare, so their view is loaded on demand.
const ConflictView = lazyPart(() => import('./conflict-view'), 'ConflictView');

export interface SpecEditorProps {
  readonly document: SpecDocument;
  readonly stored: StoredText;
  readonly kind: SpecKind;
  /** The name of the DAG. */
  readonly name: string;
  /** The base configuration that the DAG inherits. */
  readonly base?: string | undefined;
  /** The line at which the editor opens. */
  readonly line?: number | undefined;
  /** The reason why the caller may not save; missing where it may. */
  readonly refusal: string | undefined;
  /** Starts a run of a text; missing where it cannot run. */
  readonly start?: { readonly onStart: (text: string) => void; readonly refusal: string | undefined } | undefined;
}

/** Edits a spec with the language of the server: findings, completion, fixes, preview; saving never overwrites other changes. */
export function SpecEditor(props: SpecEditorProps): ReactElement {
  const { document, stored, refusal } = props;
  const t = useEditorMessages();
  const showToast = useToast();
  const editing = useSpecEditing(document, stored);
  const told = (isSaved: boolean): void => {
    if (isSaved) showToast({ message: t('editor.done') });
  };
  if (editing.conflict !== undefined) {
    return (
      <Suspense fallback={<Skeleton label={t('editor.loading')} />}>
        <ConflictView
          conflict={editing.conflict}
          isSaving={editing.isSaving}
          onResolve={(text, next) => void editing.resolve(text, next).then(told)}
        />
      </Suspense>
    );
  }
  const save = (): void => {
    if (editing.isChanged && !editing.isSaving && refusal === undefined) void editing.save().then(told);
  };
  return (
    <div className={styles.editor}>
      <TextAndPreview key={editing.generation} {...props} editing={editing} onSave={save} />
    </div>
  );
}

interface TextAndPreviewProps extends SpecEditorProps {
  readonly editing: SpecEditing;
  readonly onSave: () => void;
}

function TextAndPreview(props: TextAndPreviewProps): ReactElement {
  const { kind, name, base, editing } = props;
  const t = useEditorMessages();
  const language = useLanguage();
  const meaning = useMeaning(language, { kind, text: editing.text, name, base });
  return language === undefined ? (
    <Skeleton label={t('editor.loading')} />
  ) : (
    <OpenEditor {...props} language={language} meaning={meaning} />
  );
}

interface OpenEditorProps extends TextAndPreviewProps {
  readonly language: Language;
  readonly meaning: SpecMeaning;
}

function OpenEditor(props: OpenEditorProps): ReactElement {
  const { kind, name, refusal, start, editing, onSave, language, meaning } = props;
  const t = useEditorMessages();
  const view = useRef<EditorView>(undefined);
  const [showsChanges, setShowsChanges] = useState(false);
  const format = useFormat(language, view);
  const goToStep = useGoToStep(language, view);
  const isCompared = showsChanges && editing.isChanged;
  const code = <TextAndProblems {...props} view={view} />;
  const preview = (
    <div className={styles.preview}>
      <SpecPreview name={name} meaning={meaning} onGoToStep={goToStep} />
    </div>
  );
  return (
    <>
      <EditorTools
        {...{ editing, steps: meaning.steps, showsChanges: isCompared, onGoToStep: goToStep, onSave, refusal }}
        onShowChanges={setShowsChanges}
        onFormat={format}
        start={start && { onPress: () => start.onStart(editing.text), refusal: start.refusal }}
      />
      <Notices editing={editing} />
      {isCompared ? (
        <TextDiff
          {...{ before: editing.base.text, beforeLabel: t('editor.diff.stored') }}
          {...{ after: editing.text, afterLabel: t('editor.diff.yours') }}
        />
      ) : null}
      <div className={isCompared ? styles.hidden : styles.panes}>
        {kind === 'base' ? (
          code
        ) : (
          <SplitPane label={t('editor.divider')} initialShare={60} first={code} second={preview} />
        )}
      </div>
    </>
  );
}

type ViewRef = RefObject<EditorView | undefined>;

function TextAndProblems(props: OpenEditorProps & { readonly view: ViewRef }): ReactElement {
  const { editing, language, meaning, view, refusal, line, onSave } = props;
  const { findings } = meaning;
  const t = useEditorMessages();
  const isReadOnly = refusal !== undefined;
  useEffect(() => {
    if (view.current !== undefined && line !== undefined) goToLine(view.current, line);
  }, [view, line]);
  return (
    <div className={styles.text}>
      <CodeEditor
        {...{ label: t('editor.text'), initialText: editing.text, language, findings, view, onSave, isReadOnly }}
        onChange={editing.change}
      />
      <ProblemList
        findings={findings}
        onGoTo={(finding) => view.current && goToPlace(view.current, finding)}
        onFix={isReadOnly ? undefined : (finding) => view.current && applyFix(view.current, finding)}
      />
    </div>
  );
}

function useGoToStep(language: Language, view: ViewRef): (step: string) => void {
  return useCallback(
    (step: string): void => {
      const text = view.current?.state.doc.toString();
      if (text === undefined) return;
      void language.ask('place', { text, step }).then((place) => {
        if (view.current !== undefined && place !== undefined) goToPlace(view.current, place);
      });
    },
    [language, view],
  );
}

function useFormat(language: Language, view: ViewRef): () => void {
  const t = useEditorMessages();
  const showToast = useToast();
  const format = async ({ state }: EditorView): Promise<void> => {
    const formatted = await language.ask('format', { text: state.doc.toString() });
    if (formatted === undefined) showToast({ tone: 'failed', message: t('editor.formatFailed') });
    // Text that was typed meanwhile is not overwritten.
    else if (view.current?.state.doc === state.doc)
      view.current.dispatch({ changes: { from: 0, to: state.doc.length, insert: formatted } });
  };
  return () => (view.current === undefined ? undefined : void format(view.current));
}

function Notices({
  editing: { isFromDraft, isChanged, error, discard },
}: {
  readonly editing: SpecEditing;
}): ReactElement {
  const t = useEditorMessages();
  return (
    <>
      {error === null ? null : (
        <p role="alert" className={styles.notice}>
          {t('editor.failed', { message: error.message })}
        </p>
      )}
      {isFromDraft && isChanged ? (
        <div role="status" className={styles.notice}>
          {t('editor.restored')} <Button onPress={discard}>{t('editor.discard')}</Button>
        </div>
      ) : null}
    </>
  );
}
