import { useNavigate } from '@tanstack/react-router';
import { usePreferences } from '@weir/ui-kit/app';
import { useEffect, useRef } from 'react';
import { navigationEntries } from './navigation-entries';
import { pressPageKey, pressRowKey } from './page-keys';

export interface ShortcutActions {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

const editable =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="textbox"], [role="dialog"] *';

/** Handles the keys that work on every page. Single keys are ignored while a person types, and can be switched off. */
export function useShortcuts(actions: ShortcutActions): void {
  const navigate = useNavigate();
  const { hasShortcuts } = usePreferences();
  const isGoing = useRef(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        actions.openPalette();
        return;
      }
      // The editor is in a shadow tree.
      const [target] = event.composedPath();
      const isTyping = target instanceof Element && target.closest(editable) !== null;
      if (!hasShortcuts || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const wasGoing = isGoing.current;
      isGoing.current = !wasGoing && event.key === 'g';
      const page = wasGoing ? navigationEntries.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) {
        event.preventDefault();
        void navigate({ to: page.to });
      } else if (event.key === '?') actions.openHelp();
      else if (event.key === '/') focusFilter(event);
      else if (pressRowKey(event.key) || pressPageKey(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** A list marks the field that filters it. */
function focusFilter(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
