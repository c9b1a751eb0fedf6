/** Lists the words that flags accept apart from the commands, because the command line is read before the commands are loaded. */
export const validateFormats = ['text', 'json', 'sarif'] as const;
export type ValidateFormat = (typeof validateFormats)[number];

export const dryFormats = ['text', 'json'] as const;
export type DryFormat = (typeof dryFormats)[number];

export const listFormats = ['table', 'json', 'yaml'] as const;
export type ListFormat = (typeof listFormats)[number];

export const decisions = ['approve', 'reject', 'push-back'] as const;
export type DecisionWord = (typeof decisions)[number];

export const convertSources = ['dag', 'cron', 'system-cron'] as const;
export type ConvertSource = (typeof convertSources)[number];
