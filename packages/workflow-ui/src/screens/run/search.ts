import { readChoice, readText } from '@weir/ui-kit/app';
import { logStreams, readAttempt, type LogStream } from '../../parts/log/log-address';

export const runTabs = ['steps', 'log', 'outputs', 'artifacts', 'inputs', 'events', 'spec'] as const;
export type RunTab = (typeof runTabs)[number];

export const stepViews = ['graph', 'timeline', 'table'] as const;
export type StepView = (typeof stepViews)[number];

const logWriters = ['step', 'run'] as const;

export interface RunSearch {
  /** A child run that replaces the run on the page. */
  readonly sub?: string;
  readonly tab?: RunTab;
  readonly view?: StepView;
  /** The selected step, in all views. */
  readonly step?: string;
  /** Selects whose log the log tab shows. */
  readonly log?: (typeof logWriters)[number];
  readonly stream?: LogStream;
  /** The attempt of the step whose log is shown. */
  readonly attempt?: number | undefined;
  /** Whether the step that runs is selected, and the next one after its end. */
  readonly follow?: true | undefined;
  /** The selected artifact. */
  readonly file?: string;
}

export function readRunSearch(search: Readonly<Record<string, unknown>>): RunSearch {
  return {
    ...readText('sub', search),
    ...readChoice('tab', runTabs, search),
    ...readChoice('view', stepViews, search),
    ...readText('step', search),
    ...readChoice('log', logWriters, search),
    ...readChoice('stream', logStreams, search),
    ...readAttempt(search),
    ...(search.follow === true ? { follow: true } : {}),
    ...readText('file', search),
  };
}
