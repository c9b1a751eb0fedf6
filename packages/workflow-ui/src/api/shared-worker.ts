import { createTabService } from './serve-tabs';

// This worker serves all tabs of one user.
const connectTab = createTabService();
addEventListener('connect', (event) => {
  for (const port of (event as MessageEvent).ports) connectTab(port);
});
