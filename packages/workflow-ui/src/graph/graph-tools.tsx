import { Button, IconButton, SearchField, SelectField, Tooltip } from '@weir/ui-kit';
import type { GraphDirection } from '@weir/ui-kit/graph-layout';
import { ArrowDownUp, ArrowLeftRight, EyeOff } from 'lucide-react';
import { useRef, useState, type ReactElement, type ReactNode } from 'react';
import type { GraphScope } from './graph-items';
import { useGraphMessages } from './graph-messages';
import type { GraphStep } from './graph-step';
import { GraphToggle } from './graph-toggle';
import type { GraphFilterState } from './use-graph-filter';
import styles from './graph.module.css';

export interface GraphToolsProps {
  readonly steps: readonly GraphStep[];
  readonly selected: string | undefined;
  readonly filter: GraphFilterState;
  /** The direction in which the graph is drawn. */
  readonly direction?: GraphDirection | undefined;
  /** Called with the matches of a search, or with `undefined` when there is no search. */
  readonly onFound: (names: ReadonlySet<string> | undefined) => void;
  readonly onGoTo: (name: string) => void;
  readonly children?: ReactNode;
}

/** Chooses which parts of the graph are drawn, and how. A single step leaves nothing to choose. */
export function GraphTools(props: GraphToolsProps): ReactElement {
  const { steps, selected, filter, direction = 'right', onFound, onGoTo, children } = props;
  const t = useGraphMessages();
  const { items, turnTo, hidesDone, hideDone, isUnfolded, fold } = filter;
  const shown = items.reduce((sum, { names }) => sum + names.length, 0);
  const other = direction === 'right' ? 'down' : 'right';
  const turnText = t(`graph.${other}`);
  const TurnIcon = direction === 'right' ? ArrowDownUp : ArrowLeftRight;
  return (
    <div role="toolbar" aria-label={t('graph.tools')} className={styles.tools}>
      {steps.length < 2 ? null : (
        <>
          <StepSearch steps={steps} onFound={onFound} onGoTo={onGoTo} />
          <ScopeField filter={filter} selected={selected} />
          {steps.some(({ status }) => status !== undefined) ? (
            <GraphToggle icon={EyeOff} label={t('graph.hideDone')} isSelected={hidesDone} onChange={hideDone} />
          ) : null}
          {isUnfolded ? <Button onPress={fold}>{t('graph.fold')}</Button> : null}
          <Tooltip text={turnText}>
            <IconButton icon={<TurnIcon aria-hidden size={16} />} label={turnText} onPress={() => turnTo(other)} />
          </Tooltip>
        </>
      )}
      {children}
      <span className={styles.count} data-all={shown === steps.length}>
        {t('graph.count', { shown, hidden: steps.length - shown, total: steps.length })}
      </span>
    </div>
  );
}

function ScopeField({ filter, selected }: Pick<GraphToolsProps, 'filter' | 'selected'>): ReactElement {
  const t = useGraphMessages();
  const { scope, origin, limitTo } = filter;
  const name = scope === 'all' ? selected : origin;
  const nameOf = (direction: 'upstream' | 'downstream'): string =>
    name === undefined ? t(`graph.scope.${direction}None`) : t(`graph.scope.${direction}`, { name });
  const options: readonly { readonly value: GraphScope; readonly label: string }[] = [
    { value: 'all', label: t('graph.scope.all') },
    { value: 'upstream', label: nameOf('upstream') },
    { value: 'downstream', label: nameOf('downstream') },
  ];
  return (
    <SelectField
      label={t('graph.scope')}
      isLabelHidden
      value={scope}
      options={options}
      onChange={limitTo}
      isDisabled={name === undefined}
    />
  );
}

type StepSearchProps = Pick<GraphToolsProps, 'steps' | 'onFound' | 'onGoTo'>;

/** Enter moves to the next step whose name contains the text. */
function StepSearch({ steps, onFound, onGoTo }: StepSearchProps): ReactElement {
  const t = useGraphMessages();
  const [text, setText] = useState('');
  const next = useRef(0);
  const find = (part: string): readonly string[] =>
    steps.map(({ name }) => name).filter((name) => name.toLowerCase().includes(part.toLowerCase()));
  const change = (part: string): void => {
    setText(part);
    next.current = 0;
    onFound(part === '' ? undefined : new Set(find(part)));
  };
  const go = (): void => {
    const found = text === '' ? [] : find(text);
    const name = found[next.current % Math.max(1, found.length)];
    next.current += 1;
    if (name !== undefined) onGoTo(name);
  };
  const isMissing = text !== '' && find(text).length === 0;
  return (
    <>
      <SearchField
        aria-label={t('graph.search')}
        placeholder={t('graph.search')}
        value={text}
        onChange={change}
        onSubmit={go}
      />
      <span role="status" className={styles.none}>
        {isMissing ? t('graph.noneFound') : null}
      </span>
    </>
  );
}
