import { X } from 'lucide-react';
import { createContext, useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Button, IconButton } from '../button/button';
import { classNames } from '../class-names';
import styles from './toasts.module.css';

interface ToastAction {
  readonly label: string;
  readonly onPress: () => void;
}

export interface Toast {
  readonly message: string;
  readonly tone?: 'plain' | 'failed';
  /** An action that shows what came of it. */
  readonly next?: ToastAction;
  /** An action that reverts the change. */
  readonly action?: ToastAction;
}

type ShowToast = (toast: Toast) => void;

interface Placed {
  readonly messages: ReactElement;
  readonly setPlace: (place: HTMLElement | null) => void;
}

const lifetimeMs = 8000;
const ToastContext = createContext<ShowToast | undefined>(undefined);
const PlaceContext = createContext<Placed | undefined>(undefined);
/** The space at the bottom of the window that dialogs leave for messages. */
const roomVariable = '--toasts-room';

/** Returns the function that shows a message for a few seconds. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === undefined) throw new Error('There are no toasts outside of Toasts.');
  return show;
}

/** The place for messages, with room of their own: they cover nothing. Without it, they float over the page. */
export function ToastPlace({ className }: { readonly className: string }): ReactElement {
  const placed = useContext(PlaceContext);
  return (
    <div ref={placed?.setPlace} className={classNames(className, styles.place)}>
      {placed?.messages}
    </div>
  );
}

interface ToastsProps {
  readonly label: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** Shows the messages of its content, and lets screen readers speak them. */
export function Toasts({ label, closeLabel, children }: ToastsProps): ReactElement {
  const [toasts, setToasts] = useState<readonly (Toast & { readonly id: number })[]>([]);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const nextId = useRef(0);
  const close = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id));
  }, []);
  const show = useCallback<ShowToast>(
    (toast) => {
      const id = (nextId.current += 1);
      setToasts((shown) => [...shown.slice(-2), { ...toast, id }]);
      setTimeout(() => close(id), lifetimeMs);
    },
    [close],
  );
  useLayoutEffect(() => {
    const room = place === null || toasts.length === 0 ? 0 : innerHeight - place.getBoundingClientRect().top;
    document.documentElement.style.setProperty(roomVariable, `${room}px`);
  }, [place, toasts]);
  const regions = useMemo(() => ({ 'aria-label': label, 'aria-live': 'polite' }) as const, [label]);
  const messages = (
    <section {...regions} className={classNames(styles.toasts, place === null && styles.floating)}>
      {toasts.map(({ id, message, tone = 'plain', next, action }) => (
        <div key={id} className={styles.toast} data-tone-of-toast={tone}>
          <span>{message}</span>
          {[next, action].map(
            (each) =>
              each && (
                <Button
                  key={each.label}
                  variant="quiet"
                  onPress={() => {
                    close(id);
                    each.onPress();
                  }}
                >
                  {each.label}
                </Button>
              ),
          )}
          <IconButton icon={<X aria-hidden size={14} />} label={closeLabel} onPress={() => close(id)} />
        </div>
      ))}
    </section>
  );
  const placed = { messages, setPlace };
  return (
    <ToastContext value={show}>
      <PlaceContext value={placed}>{children}</PlaceContext>
      {place === null ? messages : null}
    </ToastContext>
  );
}
