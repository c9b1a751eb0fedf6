import type { ReactElement } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import styles from './segments.module.css';

interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly segments: readonly Segment<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one of a few values that are all in view. */
export function Segments<Value extends string>(props: SegmentsProps<Value>): ReactElement {
  const { label, value, segments, onChange } = props;
  return (
    <ToggleButtonGroup
      aria-label={label}
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = segments.find((segment) => keys.has(segment.value));
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className={styles.segments ?? ''}
    >
      {segments.map((segment) => (
        <ToggleButton key={segment.value} id={segment.value} className={styles.segment ?? ''}>
          {segment.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
