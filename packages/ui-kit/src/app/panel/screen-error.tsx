import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ErrorState } from '../../index';
import { useFailureProps } from './failure-props';

/** Replaces a screen that could not be shown; the frame around it stays. */
export function ScreenError({ error, reset }: ErrorComponentProps): ReactElement {
  return <ErrorState {...useFailureProps(error instanceof Error ? error : new Error(String(error)), reset)} />;
}
