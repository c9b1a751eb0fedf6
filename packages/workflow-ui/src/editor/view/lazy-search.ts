import { Prec, StateEffect, type Extension } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';

/** The search panel of the editor, which is loaded when its key is first pressed. */
export const lazySearch: Extension = keymap.of([{ key: 'Mod-f', run: loadSearch }]);

function loadSearch(view: EditorView): boolean {
  void import('@codemirror/search').then(({ highlightSelectionMatches, openSearchPanel, search, searchKeymap }) => {
    const extensions = [search(), highlightSelectionMatches(), Prec.high(keymap.of(searchKeymap))];
    view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
    openSearchPanel(view);
  });
  return true;
}
