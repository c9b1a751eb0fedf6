import { ArrowDown, ArrowUp } from 'lucide-react';
import { startTransition, useEffect, useState, type ReactElement, type ReactNode, type SyntheticEvent } from 'react';
import {
  Cell,
  Column as AriaColumn,
  Row,
  Table as AriaTable,
  TableBody,
  TableHeader,
  type Selection,
  type SortDescriptor,
} from 'react-aria-components/Table';
import { Checkbox } from '../checkbox/checkbox';
import { classNames } from '../class-names';
import styles from './table.module.css';

export interface TableColumn<Item> {
  readonly id: string;
  readonly name: string;
  readonly render: (item: Item) => ReactNode;
  readonly isRowHeader?: boolean;
  readonly isSortable?: boolean;
  readonly align?: 'start' | 'end';
  /** `grow` takes most of the remaining space. */
  readonly width?: 'fit' | 'grow';
  /** Whether it holds buttons, which are beside the name where a row is a card. */
  readonly isButtons?: boolean;
}

interface TableProps<Item> {
  readonly label: string;
  readonly columns: readonly TableColumn<Item>[];
  readonly items: readonly Item[];
  readonly getId: (item: Item) => string;
  /** Enter and a press open an item. */
  readonly onOpen?: (item: Item) => void;
  /** The id of the one selected item; the arrow keys and a press select another one. */
  readonly selected?: string | undefined;
  readonly onSelect?: (item: Item) => void;
  readonly sort?: SortDescriptor;
  readonly onSort?: (sort: SortDescriptor) => void;
  /** With a selection, each row has a box, and the head has one for all. */
  readonly selection?: TableSelection;
}

export interface TableSelection {
  /** Ids of items. */
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

/** Rows of one kind, with the arrow keys for moving. On a narrow screen each row becomes a card. */
export function Table<Item>(props: TableProps<Item>): ReactElement {
  const { label, columns, items, getId, sort, onSort, selection } = props;
  const drawn = useFirstRows(items);
  return (
    <>
      <AriaTable
        aria-label={label}
        className={styles.table ?? ''}
        {...(sort === undefined ? {} : { sortDescriptor: sort })}
        {...(onSort === undefined ? {} : { onSortChange: onSort })}
        {...selectionProps(props)}
      >
        <TableHeader className={styles.header ?? ''}>
          {selection === undefined ? null : (
            <AriaColumn className={classNames(styles.column, styles.box)}>
              <Checkbox slot="selection" />
            </AriaColumn>
          )}
          {columns.map(({ id, name, isRowHeader = false, isSortable = false, align, width }) => (
            <AriaColumn
              key={id}
              id={id}
              isRowHeader={isRowHeader}
              allowsSorting={isSortable}
              className={classNames(styles.column, align === 'end' && styles.end, width === 'grow' && styles.grow)}
            >
              {({ sortDirection }) => (
                <span className={styles.columnName}>
                  {name}
                  {sortDirection === 'ascending' ? <ArrowUp aria-hidden size={14} /> : null}
                  {sortDirection === 'descending' ? <ArrowDown aria-hidden size={14} /> : null}
                </span>
              )}
            </AriaColumn>
          ))}
        </TableHeader>
        <TableBody>
          {drawn.map((item) => (
            <ItemRow key={getId(item)} item={item} table={props} />
          ))}
        </TableBody>
      </AriaTable>
      {/* The page can be scrolled back to its earlier position. */}
      {drawn === items ? null : <div style={{ height: `calc(${items.length - drawn.length} * var(--row))` }} />}
    </>
  );
}

function selectionProps<Item>({ items, getId, selected, onSelect, selection }: TableProps<Item>) {
  if (onSelect !== undefined) {
    return {
      selectionMode: 'single',
      selectionBehavior: 'replace',
      disallowEmptySelection: true,
      selectedKeys: selected === undefined ? [] : [selected],
      onSelectionChange: (keys: Selection): void => {
        const chosen = keys === 'all' ? undefined : items.find((item) => keys.has(getId(item)));
        if (chosen !== undefined) onSelect(chosen);
      },
    } as const;
  }
  if (selection === undefined) return {};
  return {
    selectionMode: 'multiple',
    selectionBehavior: 'toggle',
    selectedKeys: selection.selected,
    onSelectionChange: (keys: Selection): void =>
      selection.onChange(new Set(keys === 'all' ? items.map(getId) : [...keys].map(String))),
  } as const;
}

interface ItemRowProps<Item> {
  readonly item: Item;
  readonly table: TableProps<Item>;
}

function ItemRow<Item>({ item, table: { columns, getId, onOpen, selection } }: ItemRowProps<Item>): ReactElement {
  return (
    <Row
      id={getId(item)}
      className={styles.row ?? ''}
      {...(onOpen === undefined ? {} : { onAction: () => onOpen(item) })}
    >
      {selection === undefined ? null : (
        <Cell className={classNames(styles.cell, styles.box)}>
          <Checkbox slot="selection" />
        </Cell>
      )}
      {columns.map(({ id, name, render, align, isRowHeader = false, isButtons = false }) => (
        <Cell
          key={id}
          className={classNames(
            styles.cell,
            align === 'end' && styles.end,
            isRowHeader && styles.rowName,
            isButtons && styles.buttons,
          )}
        >
          <span aria-hidden className={styles.cardLabel}>
            {name}
          </span>
          <span
            className={styles.content}
            onPointerDown={keepLinkFromRow}
            onMouseDown={keepLinkFromRow}
            onClick={keepLinkFromRow}
            onKeyDown={(event) => {
              if (event.key === 'Enter') keepLinkFromRow(event);
            }}
          >
            {render(item)}
          </span>
        </Cell>
      ))}
    </Row>
  );
}

/** A click on a link within a row follows it without opening or selecting the row. */
function keepLinkFromRow(event: SyntheticEvent): void {
  if (event.target instanceof Element && event.target.closest('a[href]') !== null) event.stopPropagation();
}

/** The number is more than a screen holds. */
const firstRows = 16;
/** A shorter list is drawn at once. */
const longFrom = 31;

/** Shows the rows that fit on a screen first, and the rest after the first paint: drawing a long list takes much longer. */
function useFirstRows<Item>(items: readonly Item[]): readonly Item[] {
  const [isWhole, setIsWhole] = useState(items.length < longFrom);
  useEffect(() => {
    if (isWhole) return undefined;
    // An effect may run before the rows are painted; the second frame begins after that.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setIsWhole(true)));
    });
    return () => cancelAnimationFrame(frame);
  }, [isWhole]);
  return isWhole ? items : items.slice(0, firstRows);
}
