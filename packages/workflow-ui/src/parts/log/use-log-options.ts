import { defaultLogOptions, type LogOptions } from '@weir/ui-kit';
import { useCallback, useState } from 'react';

const storageKey = 'weir.log';
const times = ['none', 'relative', 'absolute'] as const;

/** The person's options for reading logs, stored in this browser. */
export function useLogOptions(): readonly [LogOptions, (options: LogOptions) => void] {
  const [options, setOptions] = useState(readOptions);
  const change = useCallback((changed: LogOptions): void => {
    setOptions(changed);
    localStorage.setItem(storageKey, JSON.stringify(changed));
  }, []);
  return [options, change];
}

/** Another version may have stored anything here. */
function readOptions(): LogOptions {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    const stored: Partial<Record<keyof LogOptions, unknown>> = typeof value === 'object' && value !== null ? value : {};
    return {
      wraps: typeof stored.wraps === 'boolean' ? stored.wraps : defaultLogOptions.wraps,
      times: times.find((choice) => choice === stored.times) ?? defaultLogOptions.times,
      readsJson: typeof stored.readsJson === 'boolean' ? stored.readsJson : defaultLogOptions.readsJson,
    };
  } catch {
    return defaultLogOptions;
  }
}
