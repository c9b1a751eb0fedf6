import type { CompletionSource } from '@codemirror/autocomplete';
import { Prec, StateEffect, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** Completion and closing brackets, which are loaded when a person begins to type. */
export function lazyCompletion(source: CompletionSource): Extension {
  const loaded = new WeakSet<EditorView>();
  return EditorView.domEventHandlers({
    focus: (_event, view) => {
      if (loaded.has(view) || view.state.readOnly) return;
      loaded.add(view);
      void load(view, source);
    },
  });
}

async function load(view: EditorView, source: CompletionSource): Promise<void> {
  const before = view.state.doc;
  const { autocompletion, closeBrackets, closeBracketsKeymap, startCompletion } =
    await import('@codemirror/autocomplete');
  const extensions = [
    autocompletion({ override: [source], icons: false, activateOnTyping: true }),
    ...[closeBrackets(), Prec.high(keymap.of(closeBracketsKeymap))],
  ];
  view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
  // A person who types faster than it loads gets the proposals too.
  if (view.state.doc !== before) startCompletion(view);
}
