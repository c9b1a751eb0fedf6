export { AppProviders, type AppProvidersProps } from './app-providers';
export { baseAddress, basePath } from './base-address';
export { createQueryClient } from './panel/create-query-client';
export { isAborted, ServerUnreachable, statusOf, unwrap, type Failure } from './panel/failure';
export { useFailureProps, useSentence } from './panel/failure-props';
export { QueryPanel, type QueryPanelProps } from './panel/query-panel';
export { ScreenError } from './panel/screen-error';
export {
  applyPreferences,
  changePreferences,
  densities,
  themes,
  usePreferences,
  type Preferences,
} from './preferences';
export { FilterField, type FilterFieldProps } from './filter-field';
export { ScreenHeader, type ScreenHeaderProps } from './screen-header';
export { readChoice, readPage, readText } from './search-values';
export { appMessages, useAppMessages } from './text/app-messages';
export { defineMessages, languages, type Language, type Translate, type Values } from './text/define-messages';
export { useThemeEntries } from './theme-entries';
export { createTimeFormat, formatDuration, Time, useTimeFormat, type TimeFormat } from './time';
