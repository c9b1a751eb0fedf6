import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, type ReactElement, type ReactNode } from 'react';
import { Toasts } from '../index';
import { usePreferences } from './preferences';
import { useAppMessages } from './text/app-messages';

i18n.activate('en');

interface AppProvidersProps {
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
}

/** Provides every part of an interface with texts in the chosen language, queries and messages. */
export function AppProviders({ queryClient, children }: AppProvidersProps): ReactElement {
  const { language } = usePreferences();
  useEffect(() => i18n.activate(language), [language]);
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <WithToasts>{children}</WithToasts>
      </QueryClientProvider>
    </I18nProvider>
  );
}

function WithToasts({ children }: { readonly children: ReactNode }): ReactElement {
  const t = useAppMessages();
  return (
    <Toasts label={t('app.messages')} closeLabel={t('app.close')}>
      {children}
    </Toasts>
  );
}
