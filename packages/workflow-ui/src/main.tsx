import '@weir/ui-kit/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { router } from './router';
// This import is last: the order of modules decides how well the first script compresses, and its size has a limit.
import { applyPreferences } from '@weir/ui-kit/app';

applyPreferences();
// The files of the screen are loaded while the session is read.
void router.load();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
