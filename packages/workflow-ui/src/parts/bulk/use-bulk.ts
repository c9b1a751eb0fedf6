import { useQueryClient } from '@tanstack/react-query';
import { isAborted, ServerUnreachable, type Failure } from '@weir/ui-kit/app';
import { isApiError } from '@weir/workflow-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readBulkEvents, type BulkEnd, type BulkItem } from './bulk-stream';

export interface BulkOrder {
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

export type SendBulk = (order: BulkOrder) => Promise<ReadableStream<Uint8Array> | null>;

export interface Bulk<Item> {
  readonly step: 'checking' | 'checked' | 'changing' | 'changed';
  readonly items: readonly Item[];
  /** Missing until the operation has ended. */
  readonly end: BulkEnd | undefined;
  /** The number of items in the dry run. */
  readonly planned: number;
  readonly error: Failure | null;
  readonly change: () => void;
  /** Begins no further item. */
  readonly stop: () => void;
}

/** Requests a dry run of an operation on many items at once, and performs it when told to. */
export function useBulk<Item extends BulkItem>(send: SendBulk): Bulk<Item> {
  const client = useQueryClient();
  const [step, setStep] = useState<Bulk<Item>['step']>('checking');
  const [items, setItems] = useState<readonly Item[]>([]);
  const [end, setEnd] = useState<BulkEnd | undefined>();
  const [error, setError] = useState<Failure | null>(null);
  const [planned, setPlanned] = useState(0);
  const current = useRef<AbortController | undefined>(undefined);
  const firstSend = useRef(send);

  const run = useCallback(async (dryRun: boolean): Promise<void> => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const { signal } = controller;
    setItems([]);
    setEnd(undefined);
    setError(null);
    try {
      for await (const event of readBulkEvents<Item>(await firstSend.current({ dryRun, signal }))) {
        if (signal.aborted) return;
        if (event.kind === 'end') setEnd(event.end);
        else setItems((before) => [...before, event.item]);
      }
    } catch (failure) {
      if (!isAborted(failure)) setError(toFailure(failure));
    }
  }, []);

  useEffect(() => {
    void run(true).then(() => setStep((before) => (before === 'checking' ? 'checked' : before)));
    return () => current.current?.abort();
  }, [run]);

  const change = (): void => {
    setPlanned(items.length);
    setStep('changing');
    void run(false).then(() => {
      setStep('changed');
      return client.invalidateQueries();
    });
  };
  return { step, items, end, planned, error, change, stop: () => current.current?.abort() };
}

/** The connection may be lost while events come. */
function toFailure(failure: unknown): Failure {
  return isApiError(failure) ? failure : new ServerUnreachable('The connection was lost.', { cause: failure });
}
