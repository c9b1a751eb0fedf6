import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { EditorState, Prec, StateEffect, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { editorTheme } from './editor-theme';

/** The search panel of the editor is loaded when its key is first pressed. */
const lazySearch: Extension = keymap.of([{ key: 'Mod-f', run: loadSearch }]);

/** The extensions of every text of a spec, even of one that is only compared. */
export const readingExtensions: Extension = [
  lineNumbers(),
  highlightSpecialChars(),
  editorTheme,
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
];

const writingExtensions: Extension = [
  ...[history(), foldGutter(), drawSelection(), indentOnInput(), bracketMatching()],
  ...[highlightActiveLine(), highlightActiveLineGutter(), lazySearch],
  // Tab indents; Escape and then Tab leaves the editor, as keyboard users need.
  keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
];

export interface EditorOptions {
  /** The editor is below a shadow root: its styles need no style element there, which the page does not allow. */
  readonly parent: ShadowRoot;
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly extensions: Extension;
  readonly onChange: (text: string) => void;
}

export function createEditor({ parent, label, text, isReadOnly, extensions, onChange }: EditorOptions): EditorView {
  return new EditorView({
    parent,
    root: parent,
    doc: text,
    extensions: [
      // The keys of these extensions come before the general ones.
      extensions,
      readingExtensions,
      writingExtensions,
      // The element is focusable anyway; the attribute tells that to tools that check scrolling.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorState.readOnly.of(isReadOnly),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
    ],
  });
}

function loadSearch(view: EditorView): boolean {
  void import('@codemirror/search').then(({ highlightSelectionMatches, openSearchPanel, search, searchKeymap }) => {
    const extensions = [search(), highlightSelectionMatches(), Prec.high(keymap.of(searchKeymap))];
    view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
    openSearchPanel(view);
  });
  return true;
}
