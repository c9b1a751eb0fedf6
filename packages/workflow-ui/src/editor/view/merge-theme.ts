import { EditorView } from '@codemirror/view';

const added = 'light-dark(#e6f5ef, #10291f)';
const removed = 'light-dark(#fdecee, #33151a)';
const addedText = 'light-dark(#bfe8d8, #1c5440)';
const removedText = 'light-dark(#f6c6cd, #6b2630)';

/** How what differs is marked; the colours follow the theme of the page. */
export const mergeTheme = EditorView.theme({
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
