import { useEffect, useRef, type RefObject } from 'react';

export interface LogKeys {
  /** Called for Ctrl-F or ⌘F. */
  readonly onFind: () => void;
  /** Called for `f`. */
  readonly onFollow: () => void;
}

const editable = 'input, textarea, select, [contenteditable], [role="textbox"], [role="dialog"] *';

/**
 * Handles the keys of a log while it is on the page. The first Ctrl-F searches the log; pressed again in that field,
 * it is the browser's own.
 */
export function useLogKeys(keys: LogKeys, input: RefObject<HTMLInputElement | null>, hasShortcuts: boolean): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  }, [keys]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (isFind && !event.shiftKey && document.activeElement !== input.current) {
        event.preventDefault();
        latest.current.onFind();
        return;
      }
      const isTyping = event.target instanceof Element && event.target.closest(editable) !== null;
      if (!hasShortcuts || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.key !== 'f') return;
      latest.current.onFollow();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input, hasShortcuts]);
}
