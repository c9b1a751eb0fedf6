import { useEffect, useState, type ReactElement } from 'react';
import { SearchField } from '../index';

/** The list is filtered this time after the last key. */
const settleMs = 150;

interface FilterFieldProps {
  readonly label: string;
  /** Shown in the empty field. Default: the label. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field with the text that filters a list; the address of the page keeps it. */
export function FilterField({ label, placeholder = label, value, onChange }: FilterFieldProps): ReactElement {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), settleMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return <SearchField aria-label={label} placeholder={placeholder} value={text} onChange={setText} />;
}
