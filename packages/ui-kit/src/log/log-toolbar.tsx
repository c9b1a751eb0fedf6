import { ArrowDownToLine, Check, Download, Search, Settings2 } from 'lucide-react';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button, IconButton } from '../button/button';
import menu from '../menu/menu.module.css';
import { ToggleButton } from '../button/toggle-button';
import { parseLineRange, type LineRange } from './line-range';
import type { LogOptions } from './log-options';
import type { LogFile, LogSource } from './log-source';
import type { LogTexts } from './log-texts';
import type { LogState } from './log-window';
import styles from './log-toolbar.module.css';

export interface LogToolbarProps {
  readonly texts: LogTexts;
  readonly source: LogSource;
  readonly state: LogState;
  readonly options: LogOptions;
  readonly onOptionsChange: (options: LogOptions) => void;
  /** Undefined where the log does not grow. */
  readonly isFollowing: boolean | undefined;
  readonly onFollow: (isOn: boolean) => void;
  readonly onFind: () => void;
  readonly onGoTo: (range: LineRange) => void;
  /** Controls of the screen around it: which log, and where it opens. */
  readonly children?: ReactNode;
}

/** The actions on a log. */
export function LogToolbar(props: LogToolbarProps): ReactElement {
  const { texts, source, state, isFollowing, onFollow, onFind, onGoTo, children } = props;
  const { totalLines, isEstimate, totalBytes } = state;
  return (
    <div className={styles.bar}>
      {children}
      <span className={styles.size}>{texts.size(totalLines, isEstimate, totalBytes)}</span>
      <span className={styles.actions}>
        {isFollowing === undefined ? null : (
          <ToggleButton isSelected={isFollowing} onChange={onFollow}>
            <ArrowDownToLine aria-hidden size={16} />
            {isFollowing ? texts.following : texts.follow}
          </ToggleButton>
        )}
        <LineField label={texts.goToLine} onGoTo={onGoTo} />
        <IconButton icon={<Search aria-hidden size={16} />} label={texts.find} onPress={onFind} />
        <ViewMenu {...props} />
        <Downloads files={source.files} label={texts.download} />
      </span>
    </div>
  );
}

function LineField({
  label,
  onGoTo,
}: {
  readonly label: string;
  readonly onGoTo: (range: LineRange) => void;
}): ReactElement {
  const [text, setText] = useState('');
  const range = parseLineRange(text);
  return (
    <form
      className={styles.line}
      onSubmit={(event) => {
        event.preventDefault();
        if (range !== undefined) onGoTo(range);
      }}
    >
      <input
        aria-label={label}
        aria-invalid={text !== '' && range === undefined}
        placeholder={label}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}

const times = ['none', 'relative', 'absolute'] as const;

function Downloads({
  files,
  label,
}: {
  readonly files: readonly LogFile[];
  readonly label: string;
}): ReactElement | null {
  const [first, ...others] = files;
  const icon = <Download aria-hidden size={16} />;
  if (first === undefined) return null;
  if (others.length === 0) {
    return (
      <a href={first.address} download aria-label={label} title={label} className={styles.download}>
        {icon}
      </a>
    );
  }
  return (
    <MenuTrigger>
      <IconButton icon={icon} label={label} />
      <Popover className={menu.popover ?? ''}>
        <Menu aria-label={label} className={menu.menu ?? ''}>
          {files.map(({ name, address }) => (
            <MenuItem key={name} href={address} download={name} textValue={name} className={menu.item ?? ''}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function ViewMenu({ texts, options, onOptionsChange }: LogToolbarProps): ReactElement {
  const timeTexts = { none: texts.noTimes, relative: texts.relativeTimes, absolute: texts.absoluteTimes };
  const lines = [
    { id: 'wraps', label: texts.wrap },
    { id: 'readsJson', label: texts.readableJson },
  ] as const;
  return (
    <MenuTrigger>
      <Button variant="quiet" aria-label={texts.view}>
        <Settings2 aria-hidden size={16} />
      </Button>
      <Popover className={menu.popover ?? ''}>
        <Menu aria-label={texts.view} className={menu.menu ?? ''}>
          <MenuSection
            aria-label={texts.view}
            selectionMode="multiple"
            selectedKeys={lines.flatMap(({ id }) => (options[id] ? [id] : []))}
            onSelectionChange={(keys) =>
              onOptionsChange({
                ...options,
                wraps: keys === 'all' || keys.has('wraps'),
                readsJson: keys === 'all' || keys.has('readsJson'),
              })
            }
          >
            {lines.map(({ id, label }) => (
              <Choice key={id} id={id} label={label} />
            ))}
          </MenuSection>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[options.times]}
            onSelectionChange={(keys) => {
              const chosen = times.find((value) => keys !== 'all' && keys.has(value));
              if (chosen !== undefined) onOptionsChange({ ...options, times: chosen });
            }}
          >
            <Header className={styles.heading ?? ''}>{texts.times}</Header>
            {times.map((id) => (
              <Choice key={id} id={id} label={timeTexts[id]} />
            ))}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function Choice({ id, label }: { readonly id: string; readonly label: string }): ReactElement {
  return (
    <MenuItem id={id} textValue={label} className={menu.item ?? ''}>
      {({ isSelected }) => (
        <>
          <span className={styles.check}>{isSelected ? <Check aria-hidden size={14} /> : null}</span>
          {label}
        </>
      )}
    </MenuItem>
  );
}
