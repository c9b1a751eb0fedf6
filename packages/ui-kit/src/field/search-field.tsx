import { Search, X } from 'lucide-react';
import type { ReactElement, Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import {
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
} from 'react-aria-components/SearchField';
import styles from './field.module.css';

interface SearchFieldProps extends Omit<AriaSearchFieldProps, 'className' | 'style' | 'children'> {
  readonly 'aria-label': string;
  readonly placeholder?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A line of text that filters the content below it; Escape empties it. */
export function SearchField({ placeholder, inputRef, ...rest }: SearchFieldProps): ReactElement {
  return (
    <AriaSearchField {...rest} className={styles.search ?? ''}>
      <Search aria-hidden size={16} className={styles.searchIcon} />
      <Input
        {...(inputRef === undefined ? {} : { ref: inputRef })}
        {...(placeholder === undefined ? {} : { placeholder })}
        className={styles.input ?? ''}
      />
      <Button className={styles.clear ?? ''}>
        <X aria-hidden size={14} />
      </Button>
    </AriaSearchField>
  );
}
