import { CaseSensitive, ChevronDown, ChevronUp, ListFilter, Regex, X } from 'lucide-react';
import type { KeyboardEvent, ReactElement } from 'react';
import { IconButton } from '../button/button';
import { SearchField } from '../field/search-field';
import { SelectField } from '../field/select-field';
import { ToggleButton } from '../button/toggle-button';
import type { LogTexts } from './log-texts';
import type { LogFind } from './use-log-find';
import type { LogSearch } from './use-log-search';
import styles from './log-find-bar.module.css';

const contexts = ['0', '2', '5', '10'] as const;

export interface LogFindBarProps {
  readonly search: LogSearch;
  readonly texts: LogTexts;
}

/** Finds text in the whole log, or shows only the matching lines. */
export function LogFindBar({ search, texts }: LogFindBarProps): ReactElement {
  const { find, place, input, step, close } = search;
  const { query, change } = find;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      // Otherwise the field would only be emptied.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <div role="search" className={styles.bar} onKeyDownCapture={onKeyDown}>
      <SearchField
        aria-label={texts.find}
        placeholder={texts.findPlaceholder}
        value={query.text}
        onChange={(text) => change({ text })}
        inputRef={input}
        autoFocus
      />
      <Choices find={find} texts={texts} />
      <span role="status" className={styles.count}>
        {describe(find, place, texts)}
      </span>
      <span className={styles.steps}>
        {query.isFilter ? null : (
          <>
            <IconButton icon={<ChevronUp aria-hidden size={16} />} label={texts.previous} onPress={() => step(-1)} />
            <IconButton icon={<ChevronDown aria-hidden size={16} />} label={texts.next} onPress={() => step(1)} />
          </>
        )}
        <IconButton icon={<X aria-hidden size={16} />} label={texts.close} onPress={close} />
      </span>
    </div>
  );
}

function Choices({
  find: { query, change },
  texts,
}: {
  readonly find: LogFind;
  readonly texts: LogTexts;
}): ReactElement {
  return (
    <div className={styles.choices}>
      <ToggleButton
        aria-label={texts.isCaseSensitive}
        isSelected={query.isCaseSensitive}
        onChange={(isCaseSensitive) => change({ isCaseSensitive })}
      >
        <CaseSensitive aria-hidden size={18} />
      </ToggleButton>
      <ToggleButton aria-label={texts.isRegex} isSelected={query.isRegex} onChange={(isRegex) => change({ isRegex })}>
        <Regex aria-hidden size={16} />
      </ToggleButton>
      <ToggleButton isSelected={query.isFilter} onChange={(isFilter) => change({ isFilter })}>
        <ListFilter aria-hidden size={16} />
        <span className={styles.wide}>{texts.onlyMatches}</span>
      </ToggleButton>
      {query.isFilter ? (
        <SelectField
          label={texts.context}
          isLabelHidden
          value={contexts.find((count) => count === String(query.context)) ?? '2'}
          options={contexts.map((value) => ({ value, label: texts.contextLines(Number(value)) }))}
          onChange={(value) => change({ context: Number(value) })}
        />
      ) : null}
    </div>
  );
}

function describe({ query, isSearching, findings, error }: LogFind, place: number, texts: LogTexts): string {
  if (query.text === '') return '';
  if (error !== undefined) return texts.searchFailed(error);
  if (findings === undefined || (isSearching && findings.groups.length === 0)) return texts.searching;
  if (findings.matchingLines === 0) return texts.noMatch;
  if (query.isFilter) return texts.matches(findings.matchingLines, findings.isComplete);
  return texts.match(place + 1, findings.matchingLines, findings.isComplete);
}
