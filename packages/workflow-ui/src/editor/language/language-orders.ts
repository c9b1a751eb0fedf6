import type { CheckRequest, SpecMeaning } from './check-spec';
import type { Proposal } from './complete-spec';
import type { Place } from './step-place';

interface AtPlace {
  readonly text: string;
  readonly offset: number;
}

export interface Completion {
  /** The offset where the replaced text begins. */
  readonly from: number;
  readonly proposals: readonly Proposal[];
}

/** The requests of the page to the language, with their answers. */
export interface LanguageTasks {
  readonly check: { readonly input: CheckRequest; readonly result: SpecMeaning };
  readonly complete: { readonly input: AtPlace; readonly result: Completion };
  readonly describe: { readonly input: AtPlace; readonly result: string | undefined };
  readonly place: {
    readonly input: { readonly text: string; readonly step: string };
    readonly result: Place | undefined;
  };
  readonly format: { readonly input: { readonly text: string }; readonly result: string | undefined };
}

export type LanguageOrder = {
  readonly [Task in keyof LanguageTasks]: {
    readonly task: Task;
    readonly number: number;
  } & LanguageTasks[Task]['input'];
}[keyof LanguageTasks];

export interface LanguageAnswer {
  readonly number: number;
  readonly result: LanguageTasks[keyof LanguageTasks]['result'];
}
