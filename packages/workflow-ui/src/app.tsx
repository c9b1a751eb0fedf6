import { RouterProvider } from '@tanstack/react-router';
import { AppProviders } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { queryClient } from './api/query-client';
import { router } from './router';
import { SessionGate } from './session-gate';

/** The whole interface. */
export function App(): ReactElement {
  return (
    <AppProviders queryClient={queryClient}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </AppProviders>
  );
}
