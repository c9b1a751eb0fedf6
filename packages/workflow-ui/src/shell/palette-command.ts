import type { ReactNode } from 'react';

/** One line of the palette. */
export interface PaletteCommand {
  readonly id: string;
  readonly name: string;
  readonly icon: ReactNode;
  /** The reason why the caller may not do it. */
  readonly refusal?: string | undefined;
  readonly run: () => void;
}
