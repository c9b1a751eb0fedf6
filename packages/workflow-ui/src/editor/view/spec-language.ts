import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import type { Extension, Text, TransactionSpec } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import type { Finding } from '@weir/workflow-spec';
import type { Language } from '../language/language';
import { lazyCompletion } from './lazy-completion';

/** Colours, completion and help for a spec. */
export function specLanguage(language: Language): Extension {
  return [
    yaml(),
    lintGutter(),
    lazyCompletion((context) => complete(language, context)),
    hoverTooltip(async (view, position) => {
      const [start, end] = wordAt(view.state.doc, position);
      if (start === end) return null;
      const text = await language.ask('describe', { text: view.state.doc.toString(), offset: start });
      if (text === undefined || text === '') return null;
      return {
        pos: start,
        end,
        create: () => {
          const dom = document.createElement('div');
          dom.className = 'cm-hover';
          dom.textContent = text;
          return { dom };
        },
      };
    }),
  ];
}

function wordAt(doc: Text, position: number): readonly [number, number] {
  const line = doc.lineAt(position);
  const before = /[\w.-]*$/.exec(line.text.slice(0, position - line.from))?.[0].length ?? 0;
  const after = /^[\w.-]*/.exec(line.text.slice(position - line.from))?.[0].length ?? 0;
  return [position - before, position + after];
}

async function complete(language: Language, context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  // An empty answer that comes after more was typed would end the completion, and leave the new text without one.
  context.addEventListener('abort', () => undefined, { onDocChange: true });
  const { from, proposals } = await language.ask('complete', { text: state.doc.toString(), offset: pos });
  const isAsked = explicit || pos > from || state.sliceDoc(pos - 2, pos) === '${';
  if (context.aborted || proposals.length === 0 || !isAsked) return null;
  return {
    from,
    options: proposals.map(({ label, detail, insert }) => ({
      label,
      ...(detail === undefined ? {} : { detail: ` ${detail}` }),
      ...(insert === undefined ? {} : { apply: insert }),
    })),
    validFor: /^[\w.-]*$/,
  };
}

const severities = { error: 'error', warning: 'warning', info: 'info' } as const satisfies Record<
  Finding['severity'],
  Diagnostic['severity']
>;

/** Marks the findings in the text, with their fixes. */
export function showFindings(view: EditorView, findings: readonly Finding[]): void {
  const { doc } = view.state;
  const diagnostics = findings.map((finding): Diagnostic => {
    const { fix } = finding;
    return {
      ...placeOf(doc, finding),
      severity: severities[finding.severity],
      message: finding.message,
      ...(fix === undefined ? {} : { actions: [{ name: fix.title, apply: (target) => applyFix(target, finding) }] }),
    };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

export function applyFix(view: EditorView, { fix }: Finding): void {
  if (fix === undefined) return;
  view.dispatch({ changes: { ...placeOf(view.state.doc, fix), insert: fix.text } } satisfies TransactionSpec);
}

/** Moves the cursor to a finding, or to anything else with a range. */
export function goToPlace(view: EditorView, range: Parameters<typeof placeOf>[1]): void {
  const { from } = placeOf(view.state.doc, range);
  view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
  view.focus();
}

/** Selects a line, or the last one where the text has become shorter. */
export function goToLine(view: EditorView, number: number): void {
  const { from, to } = view.state.doc.line(Math.min(number, view.state.doc.lines));
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  });
  view.focus();
}

type Range = Pick<Finding, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** Returns the range of a finding in a text, which may have changed since: never outside of it. */
function placeOf(
  doc: Text,
  { line, column, endLine, endColumn }: Range,
): { readonly from: number; readonly to: number } {
  const from = offsetOf(doc, line, column);
  return { from, to: Math.max(from, offsetOf(doc, endLine, endColumn)) };
}

function offsetOf(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const found = doc.line(Math.max(1, line));
  return Math.min(found.to, found.from + column - 1);
}
