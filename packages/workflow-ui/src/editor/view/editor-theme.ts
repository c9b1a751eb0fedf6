import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const border = '1px solid var(--border)';

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--page)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--page)', color: 'var(--text-muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--surface)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--hover)', border, color: 'var(--text-muted)' },
  '.cm-tooltip, .cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', border, borderRadius: '6px' },
  '.cm-tooltip': { boxShadow: 'var(--shadow)', overflow: 'hidden', maxWidth: '560px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '22px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--text-muted)', fontStyle: 'normal', fontFamily: 'var(--font)' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeftWidth: '3px', fontFamily: 'var(--font)' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)', padding: '2px 8px' },
  '.cm-panel': { padding: '6px 8px', fontFamily: 'var(--font)' },
  '.cm-panel input, .cm-panel button': { fontFamily: 'var(--font)', color: 'var(--text)' },
  '.cm-textfield': { backgroundColor: 'var(--page)', border: '1px solid var(--border-strong)', borderRadius: '6px' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--raised)', border, borderRadius: '6px' },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#ffe08a, #6b5200)' },
  '.cm-hover': { padding: '6px 10px', fontFamily: 'var(--font)' },
});

/** Colours of text that are readable in both themes. */
const syntax = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'light-dark(#0b5a7a, #71bfe6)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'light-dark(#7a2a8c, #dc96ea)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--text-muted)' },
]);

/** The colours of the page, which follow its theme automatically. */
export const editorTheme: Extension = [look, syntaxHighlighting(syntax)];
