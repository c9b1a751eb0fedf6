import '@weir/ui-kit/tokens.css';
import { applyPreferences } from '@weir/ui-kit/app';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';

applyPreferences();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
