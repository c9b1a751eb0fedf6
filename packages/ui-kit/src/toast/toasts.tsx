import { X } from 'lucide-react';
import { createContext, useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Button, IconButton } from '../button/button';
import styles from './toasts.module.css';

export interface Toast {
  readonly message: string;
  readonly tone?: 'plain' | 'failed';
  /** An action that takes back what was done. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

type ShowToast = (toast: Toast) => void;

const lifetimeMs = 8000;
const ToastContext = createContext<ShowToast | undefined>(undefined);

/** Returns the function that shows a message for a few seconds. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === undefined) throw new Error('There are no toasts outside of Toasts.');
  return show;
}

export interface ToastsProps {
  readonly label: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** Shows the messages of what is inside, and has them spoken. */
export function Toasts({ label, closeLabel, children }: ToastsProps): ReactElement {
  const [toasts, setToasts] = useState<readonly (Toast & { readonly id: number })[]>([]);
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
  const regions = useMemo(() => ({ 'aria-label': label, 'aria-live': 'polite' }) as const, [label]);
  return (
    <ToastContext value={show}>
      {children}
      <section {...regions} className={styles.toasts}>
        {toasts.map(({ id, message, tone = 'plain', action }) => (
          <div key={id} className={styles.toast} data-tone-of-toast={tone}>
            <span>{message}</span>
            {action === undefined ? null : (
              <Button
                variant="quiet"
                onPress={() => {
                  close(id);
                  action.onPress();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton icon={<X aria-hidden size={14} />} label={closeLabel} onPress={() => close(id)} />
          </div>
        ))}
      </section>
    </ToastContext>
  );
}
