import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { dropDraft, keepDraft, readDraft } from './drafts';
import type { Merged } from './language/merge-texts';
import type { SpecDocument, StoredText } from './spec-document';

export interface Conflict {
  readonly theirs: StoredText;
  /** Both changes merged; ours win where they touch the same lines. */
  readonly merged: Merged;
}

export interface SpecEditing {
  readonly text: string;
  /** The stored text that was edited. */
  readonly base: StoredText;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Whether it began with a draft of this browser. */
  readonly isFromDraft: boolean;
  readonly isDraftKept: boolean;
  /** The reason why it was not saved. */
  readonly error: Error | null;
  readonly conflict: Conflict | undefined;
  /** Grows when the text is replaced in another way than by typing. */
  readonly generation: number;
  readonly change: (text: string) => void;
  readonly save: () => Promise<boolean>;
  /** Reverts to the stored text. */
  readonly discard: () => void;
  /** Ends a conflict with this text, which is saved, or edited further. */
  readonly resolve: (text: string, next: 'save' | 'edit') => Promise<boolean>;
}

interface State {
  readonly text: string;
  readonly base: StoredText;
  readonly isFromDraft: boolean;
  readonly isDraftKept: boolean;
  readonly isSaving: boolean;
  readonly error: Error | null;
  readonly conflict: Conflict | undefined;
  readonly generation: number;
}

function begin(document: SpecDocument, stored: StoredText): State {
  const draft = readDraft(document.key);
  const isFromDraft = draft !== undefined && draft.text !== stored.text;
  // A draft keeps its revision: later changes of others are then merged, not overwritten.
  return {
    text: isFromDraft ? draft.text : stored.text,
    base: isFromDraft ? { text: draft.base, tag: draft.tag } : stored,
    isFromDraft,
    isDraftKept: true,
    isSaving: false,
    error: null,
    conflict: undefined,
    generation: 0,
  };
}

/** Edits a text of the server: its draft, its saving, and concurrent changes of others. */
export function useSpecEditing(document: SpecDocument, stored: StoredText): SpecEditing {
  const [state, setState] = useState(() => begin(document, stored));
  const { text, base } = state;
  const set = useCallback((changes: Partial<State>) => setState((known) => ({ ...known, ...changes })), []);

  // Saving is a mutation, so that the gate renews a session that has ended.
  const { mutateAsync: storeText } = useMutation({
    mutationFn: ({ saved, tag }: { readonly saved: string; readonly tag: string }) => document.save(saved, tag),
  });

  const change = useCallback(
    (changed: string): void => {
      if (changed === base.text) dropDraft(document.key);
      const isDraftKept =
        changed === base.text || keepDraft(document.key, { text: changed, base: base.text, tag: base.tag });
      set({ text: changed, isDraftKept, error: null });
    },
    [document, base, set],
  );

  const store = async (saved: string, from: StoredText): Promise<boolean> => {
    set({ isSaving: true, error: null });
    try {
      const result = await storeText({ saved, tag: from.tag });
      if (result.kind === 'saved') {
        dropDraft(document.key);
        set({ base: { text: saved, tag: result.tag }, isFromDraft: false, isSaving: false, conflict: undefined });
        return true;
      }
      if (result.kind === 'refused') {
        const [finding] = result.findings.filter(({ severity }) => severity === 'error');
        set({ isSaving: false, error: new Error(finding?.message) });
        return false;
      }
      // The code for comparing is loaded on demand.
      const [theirs, { mergeTexts }] = await Promise.all([document.load(), import('./language/merge-texts')]);
      set({ isSaving: false, conflict: { theirs, merged: mergeTexts(from.text, saved, theirs.text) } });
    } catch (error) {
      set({ isSaving: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
    return false;
  };

  return {
    ...state,
    isChanged: text !== base.text,
    change,
    save: () => store(text, base),
    discard: () => {
      dropDraft(document.key);
      set({ text: base.text, isFromDraft: false, error: null, generation: state.generation + 1 });
    },
    resolve: async (resolved, next) => {
      const theirs = state.conflict?.theirs ?? base;
      keepDraft(document.key, { text: resolved, base: theirs.text, tag: theirs.tag });
      set({ text: resolved, base: theirs, conflict: undefined, generation: state.generation + 1 });
      return next === 'save' ? store(resolved, theirs) : false;
    },
  };
}
